// SPDX-License-Identifier: MIT
#include "export/database.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/database_rows.h"
#include "tests/support/earlier_schemas.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/read/trace_reader.h"
#include "trace/schema/schema.h"
#include "trace/schema/tables.h"

namespace rtl::exporting {
namespace {

std::string BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(WriteDatabase, LeavesAFileThatAppearedMeanwhileAndReportsTheNewName) {
  test::TempDir directory;
  const std::string trace = directory.File("trace.db");
  test::TraceBuilder marks;
  for (uint64_t i = 0; i < 10'000; ++i) marks.Mark(7, 100 + i, "mark");
  ASSERT_TRUE(marks.WriteDatabase(trace).ok());
  const std::string output = directory.File("rows.db");
  const std::string beside = directory.File("rows.2.db");
  const auto somebody_else = [&](uint64_t) { std::ofstream(output) << "theirs"; };
  std::vector<std::string> notes;
  const Status written = WriteDatabase(trace, output, somebody_else, nullptr, &notes);
  ASSERT_TRUE(written.ok()) << written.message();
  EXPECT_EQ(notes,
            std::vector<std::string>{
                output + " was written by another program meanwhile; this one is in " + beside});
  EXPECT_EQ(BytesOf(output), "theirs");
  EXPECT_EQ(test::AllRowsOf(beside), test::AllRowsOf(trace));
  EXPECT_EQ(directory.Count(), 3u);

  notes.clear();
  const auto nobody = [](uint64_t) {};
  ASSERT_TRUE(WriteDatabase(trace, directory.File("other.db"), nobody, nullptr, &notes).ok());
  EXPECT_EQ(notes, std::vector<std::string>()) << "nobody took this one";
}

// Every row of a query, as text.
std::vector<std::string> RowsOf(const std::string& path, const std::string& sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  std::vector<std::string> rows;
  const auto take = [](void* to, int columns, char** values, char**) {
    std::string row;
    for (int i = 0; i < columns; ++i) row += std::string(values[i] ? values[i] : "NULL") + "|";
    static_cast<std::vector<std::string>*>(to)->push_back(row);
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), take, &rows, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  EXPECT_EQ(sqlite3_close(db), SQLITE_OK);
  return rows;
}

TEST(WriteDatabase, GivesTheCallsOfAnEarlierSchemaTheCurrentForm) {
  test::TempDir directory;
  const std::string trace = directory.File("trace.db");
  test::TraceBuilder builder;
  const uint32_t queue = builder.Queue(builder.Gpu("gfx906"));
  const uint32_t kernel = builder.Kernel("wanted");
  const uint32_t launch = test::TraceBuilder::CallNumber("hipModuleLaunchKernel");
  for (uint64_t i = 1; i <= 4; ++i) {
    builder.Dispatch(queue, kernel, {.start = 220 * i, .end = 230 * i, .correlation = i});
    builder.Call(launch, {0x10, i / 2, 1, 1, 64, 1, 1, 0, 0, 0, 0},
                 {.start = 100 * i, .end = 190 * i, .correlation = i, .result = i == 4});
  }
  ASSERT_TRUE(builder.WriteDatabase(trace).ok());
  const char* const kQueries[] = {"SELECT * FROM rocpd_api ORDER BY id",
                                  "SELECT * FROM rocpd_kernelapi ORDER BY api_id",
                                  "SELECT * FROM api_stream ORDER BY api_id",
                                  "SELECT api_id, op_id FROM rocpd_api_ops ORDER BY op_id",
                                  "SELECT value FROM rocpd_metadata WHERE tag = 'schema_version'"};
  std::vector<std::vector<std::string>> expected;
  for (const char* sql : kQueries) expected.push_back(RowsOf(trace, sql));
  ASSERT_EQ(expected[0].size(), 4u);
  ASSERT_EQ(expected[1].size(), 4u);

  (void)RowsOf(trace, test::kMakeEarlierNamesSql);
  (void)RowsOf(trace, test::kMakeLinkTableSql);
  (void)RowsOf(trace, test::kMakeWideCallsSql);
  const std::string output = directory.File("rows.db");
  std::vector<std::string> notes;
  const Status written = WriteDatabase(
      trace, output, [](uint64_t) {}, nullptr, &notes);
  ASSERT_TRUE(written.ok()) << written.message();
  EXPECT_EQ(notes, std::vector<std::string>());
  for (size_t i = 0; i < std::size(kQueries); ++i) {
    EXPECT_EQ(RowsOf(output, kQueries[i]), expected[i]) << kQueries[i];
  }
  EXPECT_EQ(RowsOf(output, "SELECT count(*) FROM rtl_call_site"), std::vector<std::string>{"2|"});
  EXPECT_EQ(RowsOf(output, "SELECT count(*) FROM rtl_launch_call"), std::vector<std::string>{"3|"});
}

// With the aliases, which SQL for the earlier schema asks for.
TEST(WriteDatabase, GivesTheNamesOfAnEarlierSchemaTheirPresentForm) {
  test::TempDir directory;
  const std::string trace = directory.File("trace.db");
  ASSERT_TRUE(test::TraceBuilder::ThreeKernelsOnTwoQueues().WriteDatabase(trace).ok());
  (void)RowsOf(trace,
               "INSERT INTO rocpd_metadata (tag, value)"
               " VALUES ('not_counted.kernels', 'why'), ('unseen.kernels', 'why')");
  const char* const kQueries[] = {
      "SELECT * FROM rtl_process", "SELECT * FROM rtl_queue ORDER BY id",
      "SELECT tag, value FROM rocpd_metadata ORDER BY tag",
      "SELECT kind, counter, value FROM rtl_process_counter ORDER BY kind, counter"};
  std::vector<std::vector<std::string>> expected;
  for (const char* sql : kQueries) expected.push_back(RowsOf(trace, sql));
  const std::string output = directory.File("rows.db");
  std::vector<std::string> notes;
  const auto nobody = [](uint64_t) {};
  for (const char* change : {"", test::kMakeEarlierNamesSql}) {
    (void)RowsOf(trace, change);
    const Status written = WriteDatabase(trace, output, nobody, nullptr, &notes);
    ASSERT_TRUE(written.ok()) << written.message();
    for (size_t i = 0; i < std::size(kQueries); ++i)
      EXPECT_EQ(RowsOf(output, kQueries[i]), expected[i]) << kQueries[i] << change;
  }
  const std::vector<std::string> submitted = {"submitted|3|"};
  EXPECT_EQ(RowsOf(output,
                   "SELECT counter, value FROM rtl_process_counter WHERE kind = 'kernels'"
                   " AND counter = 'submitted'"),
            submitted);
  EXPECT_EQ(notes, std::vector<std::string>());
}

TEST(WriteDatabase, KeepsTheKernelsInFlight) {
  test::TempDir directory;
  const std::string trace = directory.File("trace.db");
  ASSERT_TRUE(test::TraceBuilder::ThreeKernelsOnTwoQueues().WriteDatabase(trace).ok());
  (void)RowsOf(trace, store::CreateSql(store::kInFlightTableDescription));
  (void)RowsOf(trace,
               "INSERT INTO rtl_in_flight SELECT 1, 1, 1000, 101, 0, 1, 5, 0, 0, name_id, id, 10,"
               " 0, 20, 64, 1, 1, 64, 1, 1, 0, 0, 0, NULL, 'barrier packet 4' FROM rtl_kernel "
               "WHERE kernel = 1");
  std::vector<std::string> notes;
  const std::string output = directory.File("copy.db");
  const auto nobody = [](uint64_t) {};
  ASSERT_TRUE(WriteDatabase(trace, output, nobody, nullptr, &notes).ok());
  EXPECT_EQ(notes, std::vector<std::string>());
  const char kAll[] = "SELECT * FROM rtl_in_flight";
  EXPECT_EQ(RowsOf(output, kAll), RowsOf(trace, kAll));
  EXPECT_EQ(RowsOf(output, kAll).size(), 1u);

  // A trace of an earlier version.
  (void)RowsOf(trace, "ALTER TABLE rtl_in_flight DROP COLUMN behind");
  ASSERT_TRUE(WriteDatabase(trace, output, nobody, nullptr, &notes).ok());
  EXPECT_EQ(RowsOf(output, "SELECT behind FROM rtl_in_flight"), std::vector<std::string>{"NULL|"});
}

}  // namespace
}  // namespace rtl::exporting
