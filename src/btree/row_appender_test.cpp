// SPDX-License-Identifier: MIT
#include "btree/row_appender.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <random>
#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

namespace rtl::btree {
namespace {

// Two tables of one shape: SQLite fills `theirs`, and this code `ours`, with the same rows.
class RowAppenderTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const std::string path = dir_.File("t.db");
    ASSERT_EQ(sqlite3_open(path.c_str(), &db_), SQLITE_OK);
    Execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = " +
            std::to_string(GetParam()));
    for (const char* table : {"ours", "theirs"}) {
      Execute("CREATE TABLE " + std::string(table) +
              " (id INTEGER PRIMARY KEY, a INTEGER, b TEXT, c REAL, d TEXT)");
    }
    ASSERT_TRUE(file_.Open(path, "t.db").ok());
    const auto root = static_cast<uint32_t>(
        std::stoul(Text("SELECT rootpage FROM sqlite_schema WHERE name = 'ours'")));
    ASSERT_TRUE(file_.Begin().ok());
    ASSERT_TRUE(ours_.Begin(&file_, root).ok());
    ASSERT_EQ(
        sqlite3_prepare_v2(db_, "INSERT INTO theirs VALUES (?, ?, ?, ?, ?)", -1, &theirs_, nullptr),
        SQLITE_OK);
  }
  void TearDown() override {
    sqlite3_finalize(theirs_);
    sqlite3_close(db_);
  }

  void Execute(const std::string& sql) {
    char* error = nullptr;
    ASSERT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  }
  std::string Text(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db_);
    std::string text;
    if (sqlite3_step(statement) == SQLITE_ROW)
      text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return text;
  }

  struct Row {
    int64_t id;
    std::optional<int64_t> a;
    std::string b;
    double c;
    std::string d;
  };
  void Add(const Row& row) {
    const Value values[] = {Value(), Value(row.a), Value(row.b), Value(row.c), Value(row.d)};
    ASSERT_TRUE(ours_.Append(row.id, values).ok());
    rows_.push_back(row);
  }
  void Check() {
    ASSERT_TRUE(ours_.Finish().ok());
    ASSERT_TRUE(file_.End().ok());
    Execute("BEGIN");
    for (const Row& row : rows_) {
      sqlite3_bind_int64(theirs_, 1, row.id);
      sqlite3_bind_null(theirs_, 2);
      if (row.a.has_value()) sqlite3_bind_int64(theirs_, 2, *row.a);
      sqlite3_bind_text64(theirs_, 3, row.b.data(), row.b.size(), SQLITE_STATIC, SQLITE_UTF8);
      sqlite3_bind_double(theirs_, 4, row.c);
      sqlite3_bind_text64(theirs_, 5, row.d.data(), row.d.size(), SQLITE_STATIC, SQLITE_UTF8);
      ASSERT_EQ(sqlite3_step(theirs_), SQLITE_DONE);
      sqlite3_reset(theirs_);
    }
    Execute("COMMIT");
    EXPECT_EQ(Text("PRAGMA integrity_check"), "ok");
    EXPECT_EQ(Text("SELECT count(*) FROM ours"), std::to_string(rows_.size()));
    for (const char* types : {"", ", typeof(a), typeof(b), typeof(c), typeof(d)"}) {
      const std::string columns = "SELECT *" + std::string(types) + " FROM ";
      EXPECT_EQ(Text("SELECT count(*) FROM (" + columns + "ours EXCEPT " + columns + "theirs)"),
                "0");
      EXPECT_EQ(Text("SELECT count(*) FROM (" + columns + "theirs EXCEPT " + columns + "ours)"),
                "0");
    }
    // SQLite goes on with the table.
    Execute("INSERT INTO ours (b) VALUES ('more'); DELETE FROM ours WHERE id % 3 = 0; VACUUM");
    EXPECT_EQ(Text("PRAGMA integrity_check"), "ok");
  }

  test::TempDir dir_;
  sqlite3* db_ = nullptr;
  sqlite3_stmt* theirs_ = nullptr;
  PageFile file_;
  RowAppender ours_;
  std::vector<Row> rows_;
};

INSTANTIATE_TEST_SUITE_P(PageBytes, RowAppenderTest, testing::Values(512, 4096, 16384, 65536));

TEST_P(RowAppenderTest, AnEmptyTableStaysEmpty) { Check(); }

TEST_P(RowAppenderTest, AFewRowsTakeNoFurtherPage) {
  Add({7, 1, "one", 0.5, ""});
  Add({8, std::nullopt, "", -1, "two"});
  EXPECT_EQ(file_.pages(), 3u);
  Check();
}

TEST_P(RowAppenderTest, EveryWidthOfNumbersIsKept) {
  int64_t id = -400;
  for (int bit = 0; bit < 64; ++bit) {
    for (const int64_t less : {-1, 0, 1}) {
      const uint64_t number = (uint64_t{1} << bit) + static_cast<uint64_t>(less);
      Add({id++, static_cast<int64_t>(number), "", static_cast<double>(number) / 3, "x"});
      Add({id++, static_cast<int64_t>(-number), "", static_cast<double>(number), "y"});
    }
  }
  Add({INT64_MAX - 1, INT64_MIN, "", 1e300, "far"});
  Check();
}

// Of every length around the limits of a page and of several pages.
TEST_P(RowAppenderTest, ATextGoesOnInFurtherPages) {
  const auto page = static_cast<size_t>(GetParam());
  int64_t id = 0;
  for (const size_t pages : {1, 2, 5}) {
    for (size_t length = pages * page - 60; length < pages * page + 20; ++length) {
      Add({++id, id, std::string(length, static_cast<char>('a' + length % 26)), 1.5, "end"});
    }
  }
  Add({++id, 3, std::string(1'000'000, 'z'), 2.5, std::string(300'000, 'q')});
  Add({++id, 3, "short", 2.5, ""});
  Check();
}

TEST_P(RowAppenderTest, ManyRowsOfAnyLength) {
  std::mt19937_64 random(static_cast<uint64_t>(GetParam()));
  int64_t id = 0;
  for (int i = 0; i < 20'000; ++i) {
    id += 1 + static_cast<int64_t>(random() % 5 == 0 ? random() % 1000 : 0);
    const size_t length = random() % 100 == 0 ? random() % 3000 : random() % 40;
    Add({id, static_cast<int64_t>(random() >> (random() % 64)), std::string(length, 'n'),
         static_cast<double>(random() % 1000), std::string("a\0b", 3)});
  }
  Check();
}

TEST_P(RowAppenderTest, ATableWithRowsIsRefused) {
  ASSERT_TRUE(file_.End().ok());
  Execute("INSERT INTO theirs (a) VALUES (1)");
  const auto root = static_cast<uint32_t>(
      std::stoul(Text("SELECT rootpage FROM sqlite_schema WHERE name = 'theirs'")));
  ASSERT_TRUE(file_.Begin().ok());
  EXPECT_FALSE(RowAppender().Begin(&file_, root).ok());
}

}  // namespace
}  // namespace rtl::btree
