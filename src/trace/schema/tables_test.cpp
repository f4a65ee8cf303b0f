// SPDX-License-Identifier: MIT
#include "trace/schema/tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/support/temp_dir.h"
#include "trace/schema/schema.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {

// In a namespace of its own, because the included file makes another list kTables.
namespace wheels {
#define RTL_TABLE_LIST "trace/schema/testdata/one_more_column.inc"
#include "trace/schema/describe_tables.inc"
#undef RTL_TABLE_LIST
}  // namespace wheels

namespace {

constexpr char kPage[] = RTL_SOURCE_DIR "/docs/formats/database.md";

// "INTEGER"
std::string TypeOf(const Column& column) {
  const std::string_view type = column.type;
  return std::string(type.substr(0, type.find(' ')));
}

// "→ `rtl_process.id`. Its rows. Since schema 11"
std::string What(const Column& column) {
  const std::string_view type = column.type;
  std::string what;
  if (const size_t at = type.find("REFERENCES "); at != type.npos) {
    const std::string_view target = type.substr(at + strlen("REFERENCES "));
    what = "→ `" + std::string(target.substr(0, target.find(' '))) + ".id`";
  }
  if (*column.text != '\0') what += (what.empty() ? "" : "; ") + std::string(column.text);
  if (column.since != 0) {
    what +=
        (what.empty() ? "" : "; ") + std::string("since schema ") + std::to_string(column.since);
  }
  return what;
}

// The page may break its lines anywhere.
std::string OnOneLine(const std::string& text) {
  std::istringstream words(text);
  std::string line, word;
  while (words >> word) line += word + " ";
  return line;
}

// What the page must say about a table.
std::string Block(const TableDescription& table) {
  std::string block = std::string("**`") + table.name + "`**: " + table.text + ".";
  if (table.is_rare) block += " The table exists only in a trace that has such rows.";
  if (table.since != 0) {
    block += " Since schema " + std::to_string(table.since) + "; some traces of it lack the table.";
  }
  block += "\n\n| column | type | unit | what |\n|---|---|---|---|\n";
  for (const Column& column : table.columns) {
    block += std::string("| ") + column.name + " | " + TypeOf(column) + " | " + column.unit +
             " | " + What(column) + " |\n";
  }
  return block;
}

TEST(Tables, ThePageHasTheirBlocks) {
  std::ifstream file(kPage);
  std::stringstream page;
  page << file.rdbuf();
  for (const TableDescription* table : kTables) {
    // The page lists the columns of a table without text with the view that joins the table.
    if (*table->text == '\0') continue;
    EXPECT_NE(OnOneLine(page.str()).find(OnOneLine(Block(*table))), std::string::npos)
        << kPage << " needs this block:\n"
        << Block(*table);
  }
}

TEST(Tables, NoTableAndNoColumnIsDescribedTwice) {
  std::set<std::string> tables;
  for (const TableDescription* table : kTables) {
    EXPECT_TRUE(tables.insert(table->name).second) << table->name;
    EXPECT_LE(table->since, kSchemaVersion);
    std::set<std::string> columns;
    for (const Column& column : table->columns) {
      EXPECT_TRUE(columns.insert(column.name).second) << table->name << '.' << column.name;
      EXPECT_LE(column.since, kSchemaVersion) << table->name << '.' << column.name;
    }
  }
}

// The recipe of docs/design/cost-of-change.md: a line in the list is a column in CREATE, INSERT and
// the row.
TEST(Tables, OneMoreLineIsOneMoreColumn) {
  test::TempDir directory;
  const std::string path = directory.File("wheels.db");
  Database database;
  ASSERT_TRUE(database.Open(path, path).ok());
  ASSERT_TRUE(database.Execute("BEGIN").ok());
  ASSERT_TRUE(database.Execute(CreateSql(wheels::kWheelDescription).c_str()).ok());
  Statement insert;
  ASSERT_TRUE(insert.Prepare(database, InsertSql(wheels::kWheelDescription)).ok());
  const struct {
    uint32_t spokes;
    uint64_t width;
    const char* maker;
  } record = {.spokes = 32, .width = 19, .maker = "not a number: left to the caller"};
  wheels::Wheel row;
  TakeFields(record, &row);
  row.id = 1;
  ASSERT_TRUE(insert.Add(row).ok());
  insert.Finalize();
  ASSERT_TRUE(database.Execute("COMMIT").ok());
  database.Close();
  EXPECT_EQ(Ask(path, "SELECT id, spokes, width, maker FROM rtl_wheel"),
            std::vector<std::string>{"1|32|19|NULL"});
}

TEST(Tables, AColumnHasItsValueUnderItsEarlierNameAsWell) {
  test::TempDir directory;
  const std::string path = directory.File("wheels.db");
  Database database;
  ASSERT_TRUE(database.Open(path, path).ok());
  ASSERT_TRUE(database.Execute("BEGIN").ok());
  ASSERT_TRUE(database.Execute(CreateSql(wheels::kTyreDescription).c_str()).ok());
  Statement insert;
  ASSERT_TRUE(insert.Prepare(database, InsertSql(wheels::kTyreDescription)).ok());
  ASSERT_TRUE(insert.Add(wheels::Tyre{.id = 1, .pressure = 220, .maker = "M"}).ok());
  insert.Finalize();
  ASSERT_TRUE(database.Execute("COMMIT").ok());
  database.Close();
  EXPECT_EQ(Ask(path, "SELECT * FROM rtl_tyre"), std::vector<std::string>{"1|220|M|220"});
  EXPECT_EQ(Ask(path, "SELECT air FROM rtl_tyre"), std::vector<std::string>{"220"});
}

TEST(Tables, AColumnIsFoundUnderEitherOfItsNames) {
  const TableDescription& tyre = wheels::kTyreDescription;
  EXPECT_EQ(NameIn({"id", "pressure", "air"}, tyre, "pressure"), "pressure");
  EXPECT_EQ(NameIn({"id", "air"}, tyre, "pressure"), "air");
  EXPECT_EQ(NameIn({"id", "pressure"}, tyre, "air"), "pressure");
  EXPECT_EQ(NameIn({"id", "pressure", "air"}, tyre, "air"), "air");
  EXPECT_EQ(NameIn({"id", "pressure", "air"}, tyre, "maker"), "");
  EXPECT_EQ(FindTable("rtl_queue"), &kQueueTableDescription);
  EXPECT_EQ(FindTable("rtl_hsa_call"), nullptr);
}

TEST(Tables, ATagHasTwoNames) {
  EXPECT_EQ(EarlierTag("submitted.kernels"), "seen.kernels");
  EXPECT_EQ(EarlierTag("not_counted.hip_calls"), "unseen.hip_calls");
  EXPECT_EQ(EarlierTag("loaded_by"), "door");
  EXPECT_EQ(EarlierTag("recorded.kernels"), "");
  EXPECT_EQ(EarlierTag("loaded_by.x"), "");
  EXPECT_EQ(PresentTag("seen.kernels"), "submitted.kernels");
  EXPECT_EQ(PresentTag("unseen.hip_calls"), "not_counted.hip_calls");
  EXPECT_EQ(PresentTag("door"), "loaded_by");
  EXPECT_EQ(PresentTag("submitted.kernels"), "");
}

// An alias has a value where its column has one.
TEST(Tables, AnAliasRepeatsAColumnOfItsTable) {
  for (const TableDescription* table : kTables) {
    for (const Column& alias : table->columns) {
      if (alias.alias_of == nullptr) continue;
      const auto column =
          std::find_if(table->columns.begin(), table->columns.end(),
                       [&](const Column& each) { return strcmp(each.name, alias.alias_of) == 0; });
      ASSERT_NE(column, table->columns.end()) << table->name << '.' << alias.name;
      EXPECT_STREQ(column->type, alias.type) << table->name << '.' << alias.name;
    }
  }
}

TEST(Tables, AddWhatAnEarlierTraceLacks) {
  test::TempDir directory;
  const std::string path = directory.File("wheels.db");
  Database database;
  ASSERT_TRUE(database.Open(path, path).ok());
  ASSERT_TRUE(database.Execute("BEGIN").ok());
  ASSERT_TRUE(database.Execute(CreateSql(wheels::kOldWheelDescription).c_str()).ok());
  ASSERT_TRUE(database.Execute("INSERT INTO rtl_wheel VALUES (1, 28)").ok());
  ASSERT_TRUE(AddMissing(&database, wheels::kWheelDescription).ok());
  ASSERT_TRUE(AddMissing(&database, wheels::kWheelDescription).ok());  // nothing is left to do
  ASSERT_TRUE(AddMissing(&database, kNameTableDescription).ok());
  ASSERT_TRUE(AddMissing(&database, kFaultTableDescription).ok());  // rare
  Statement insert;
  ASSERT_TRUE(insert.Prepare(database, InsertSql(wheels::kWheelDescription)).ok());
  ASSERT_TRUE(insert.Add(wheels::Wheel{.id = 2, .spokes = 32, .width = 19, .maker = "M"}).ok());
  insert.Finalize();
  ASSERT_TRUE(database.Execute("COMMIT").ok());
  database.Close();
  EXPECT_EQ(Ask(path, "SELECT * FROM rtl_wheel"),
            (std::vector<std::string>{"1|28|0|NULL", "2|32|19|M"}));
  EXPECT_EQ(Ask(path, "SELECT name FROM sqlite_schema"),
            (std::vector<std::string>{"rtl_wheel", "rtl_name"}));
}

TEST(Tables, MomentsAndLengthsDifferInTheirUnit) {
  EXPECT_TRUE(IsMoment("rtl_queue", "created"));
  EXPECT_TRUE(IsMoment("rtl_in_flight", "submitted"));
  EXPECT_TRUE(IsMoment("rtl_place", "origin"));
  EXPECT_FALSE(IsMoment("rtl_op", "duration"));
  EXPECT_FALSE(IsMoment("rtl_queue", "recorded"));
  EXPECT_FALSE(IsMoment("rtl_memory_copy", "created")) << "another table's column";
  for (const TableDescription* table : kTables) {
    for (const Column& column : table->columns) {
      const std::string_view unit = column.unit;
      EXPECT_TRUE(unit == kMomentUnit || unit.find("boot") == unit.npos)
          << table->name << '.' << column.name << ": " << unit;
    }
  }
}

// ALTER TABLE adds only columns that may be NULL or have a default.
TEST(Tables, ANewColumnMayBeMissing) {
  for (const TableDescription* table : kTables) {
    for (const Column& column : table->columns) {
      const std::string_view type = column.type;
      EXPECT_TRUE(column.since == 0 || type.find("NOT NULL") == type.npos ||
                  type.find("DEFAULT") != type.npos)
          << table->name << '.' << column.name;
    }
  }
}

TEST(Tables, AnOlderTraceMayLackWhatIsNewer) {
  const Column& width = wheels::kWheelDescription.columns[2];
  EXPECT_STREQ(width.name, "width");
  EXPECT_TRUE(MayLack(width.since, 10));
  EXPECT_TRUE(MayLack(width.since, 11));
  EXPECT_FALSE(MayLack(width.since, 12));
  EXPECT_FALSE(MayLack(wheels::kWheelDescription.columns[1].since, 6));
}

TEST(Tables, AreMadeInEveryTrace) {
  test::TempDir directory;
  const std::string path = directory.File("trace.db");
  Database database;
  ASSERT_TRUE(database.Open(path, path).ok());
  ASSERT_TRUE(database.Execute("BEGIN").ok());
  ASSERT_TRUE(CreateSchema(&database).ok());
  ASSERT_TRUE(database.Execute("COMMIT").ok());
  database.Close();
  for (const TableDescription* table : kTables) {
    const std::string count = std::to_string(table->is_rare ? 0 : table->columns.size());
    EXPECT_EQ(
        Ask(path, std::string("SELECT count(*) FROM pragma_table_info('") + table->name + "')"),
        std::vector<std::string>{count})
        << table->name;
  }
}

}  // namespace
}  // namespace rtl::store
