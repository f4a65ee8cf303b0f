// SPDX-License-Identifier: MIT
// Rows that are read without SQL are those that SQL finds in the views of the same trace.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trace/read/error.h"
#include "trace/read/query_test_support.h"

namespace rtl::query {
namespace {

using Numbers = std::vector<int64_t>;

class ScannedRows : public testing::Test {
 protected:
  // More rows than RowSorter keeps: they are read twice.
  static constexpr uint64_t kMany = 36'000;

  void WriteTrace(uint64_t kernels) {
    TestTrace trace(path_);
    trace.Queue(0);
    trace.Queue(1);
    trace.Kernel("_Z4gemmPf");
    trace.Kernel("k");
    const uint32_t copy = test::TraceBuilder::CallNumber("hipMemcpyAsync");
    for (uint64_t i = 0; i < kernels; ++i) {
      const uint64_t time = 1'000'000 + i * 100;
      trace.Add({.kernel = static_cast<uint32_t>(1 + i % 2),
                 .queue = static_cast<uint32_t>(1 + i % 2),
                 .tid = static_cast<uint32_t>(100 + i % 3),
                 .submit = time - 50,
                 .start = time,
                 .end = time + 40,
                 .correlation = i + 1});
      if (i % 10 != 0) continue;
      trace.Push(1, time, "range");
      trace.Pop(1, time + 30);
      trace.Mark(2, time + 7, "mark");
      trace.builder().Call(copy, {0x1000, 0x2000, 4096 + i, 1, i % 20},
                           {.start = time, .end = time + 20, .correlation = i + 1});
    }
    trace.Finish();
  }
  // Times far from the order of rows, with many ties.
  void Shuffle() {
    ExecuteSql(path_,
               "UPDATE rtl_op SET start = 1000000 + id * 7919 % 5003,"
               " waited = CASE WHEN id % 5 = 0 THEN NULL ELSE id * 31 % 97 - 11 END,"
               " duration = id % 4");
    ExecuteSql(path_, "UPDATE rtl_call SET start = 1000000 + id * 7919 % 5003, duration = id % 3");
  }
  std::vector<Numbers> Select(const std::string& sql) {
    sqlite3* db = nullptr;
    sqlite3_stmt* statement = nullptr;
    std::vector<Numbers> rows;
    EXPECT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db);
    while (sqlite3_step(statement) == SQLITE_ROW) {
      Numbers& row = rows.emplace_back();
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        row.push_back(sqlite3_column_int64(statement, i));
      }
    }
    EXPECT_EQ(sqlite3_finalize(statement), SQLITE_OK);
    EXPECT_EQ(sqlite3_close(db), SQLITE_OK);
    return rows;
  }
  template <typename Cursor, typename Row, typename Take>
  std::vector<Numbers> Read(Status (TraceReader::*open)(Cursor*), const Take& take) {
    const auto reader = OpenTrace(path_);
    std::vector<Numbers> rows;
    Cursor cursor;
    ExpectOk((reader.get()->*open)(&cursor));
    Row row;
    for (bool has_row = true;;) {
      ExpectOk(cursor.Next(&row, &has_row));
      if (!has_row) return rows;
      rows.push_back(take(row));
    }
  }

  void ExpectTheRowsOfTheViews() {
    const std::string kernels = Type("KernelExecution");
    EXPECT_EQ(KernelNumbers(),
              Select("SELECT id, process_id, pid, tid, gpuId, queueId, kernel_id, description_id,"
                     " submit, start, \"end\", sequenceId, packet, correlation_id, gridX,"
                     " workgroupX, groupSegmentSize, privateSegmentSize FROM rocpd_op" +
                     kernels +
                     " ORDER BY CASE WHEN submit > 0 THEN min(submit, start) ELSE start END, id"));
    const auto spans =
        Read<KernelSpanCursor, KernelSpan>(&TraceReader::SpansByStart, [](const KernelSpan& row) {
          return Numbers{row.pid,   row.tid,        row.name,      row.gpu,
                         row.queue, Of(row.submit), Of(row.start), Of(row.end)};
        });
    EXPECT_EQ(spans,
              Select("SELECT pid, tid, description_id, gpuId, queueId, submit, start, \"end\""
                     " FROM rocpd_op" +
                     kernels + " ORDER BY start, id"));
    const auto markers =
        Read<MarkerCursor, MarkerRow>(&TraceReader::MarkersByStart, [](const MarkerRow& row) {
          return Numbers{row.id,        row.process, row.pid,       row.tid,    row.name,
                         Of(row.start), Of(row.end), Of(row.range), row.is_mark};
        });
    EXPECT_EQ(markers,
              Select("SELECT id, process_id, pid, tid, description_id, start, \"end\", roctxId,"
                     " flags & 1 FROM rocpd_op" +
                     Type("UserMarker") + " ORDER BY start, \"end\" DESC, id"));
    const auto calls = Read<ApiCursor, ApiRow>(&TraceReader::ApisByStart, [](const ApiRow& row) {
      return Numbers{row.id,       row.process,   row.pid,
                     row.tid,      row.name,      Of(row.start),
                     Of(row.end),  row.arguments, Of(row.correlation),
                     row.result,   row.stream,    Of(row.copied),
                     row.copy_kind};
    });
    EXPECT_EQ(calls,
              Select("SELECT a.id, process_id, pid, tid, apiName_id, start, \"end\", args_id,"
                     " correlation_id, result, coalesce(s.stream, -1), c.size,"
                     " coalesce(c.kind, -1) FROM rocpd_api a"
                     " LEFT JOIN api_stream s ON s.api_id = a.id"
                     " LEFT JOIN rocpd_copyapi c ON c.api_id = a.id"
                     " ORDER BY start, \"end\" DESC, a.id"));
  }
  std::vector<Numbers> KernelNumbers() {
    return Read<KernelCursor, KernelRow>(&TraceReader::KernelsBySubmit, [](const KernelRow& row) {
      return Numbers{row.id,
                     row.process,
                     row.pid,
                     row.tid,
                     row.gpu,
                     row.queue,
                     row.kernel,
                     row.name,
                     Of(row.submit),
                     Of(row.start),
                     Of(row.end),
                     Of(row.dispatch),
                     Of(row.packet),
                     Of(row.correlation),
                     row.grid[0],
                     row.workgroup[0],
                     row.group_segment,
                     row.private_segment};
    });
  }
  static int64_t Of(uint64_t number) { return static_cast<int64_t>(number); }
  static std::string Type(const std::string& name) {
    return " WHERE opType_id = (SELECT id FROM rocpd_string WHERE string = '" + name + "')";
  }
  // The error of reading the kernels, without the path before it.
  std::string ErrorOfKernels() {
    const auto reader = OpenTrace(path_);
    KernelCursor cursor;
    KernelRow row;
    Status status = reader->KernelsBySubmit(&cursor);
    for (bool has_row = true; status.ok() && has_row;) status = cursor.Next(&row, &has_row);
    const std::string message = status.message();
    EXPECT_EQ(message.substr(0, path_.size() + 2), path_ + ": ");
    return message.substr(std::min(message.size(), path_.size() + 2));
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
};

TEST_F(ScannedRows, AreThoseOfTheViewsInOrder) {
  WriteTrace(kMany);
  ExpectTheRowsOfTheViews();
}

TEST_F(ScannedRows, AreThoseOfTheViewsInAnyOrder) {
  WriteTrace(kMany);
  Shuffle();
  ExpectTheRowsOfTheViews();
  EXPECT_EQ(directory_.Count(), 1u);
}

TEST_F(ScannedRows, GiveCallsTheStreamThatHadItsHandleThen) {
  WriteTrace(100);
  ExecuteSql(path_,
             "DELETE FROM rtl_stream;"
             "INSERT INTO rtl_stream (process_id, pid, stream, handle, name, created, destroyed)"
             " SELECT 1, 1000, 1, 10, '', 1000000, 1005000 UNION ALL"
             " SELECT 1, 1000, 2, 10, 'second', 1005001, NULL;"
             "UPDATE rtl_call_site SET stream = 10 WHERE id % 2 = 1");
  ExpectTheRowsOfTheViews();
}

TEST_F(ScannedRows, LeaveOutThoseWithoutALaunchOrASite) {
  WriteTrace(100);
  ExecuteSql(path_,
             "UPDATE rtl_op SET launch = 999 WHERE id % 3 = 0;"
             "UPDATE rtl_call SET site = 999 WHERE id % 3 = 0");
  EXPECT_EQ(KernelNumbers().size(),
            Select("SELECT id FROM rocpd_op" + Type("KernelExecution")).size());
  const auto calls = Read<ApiCursor, ApiRow>(&TraceReader::ApisByStart,
                                             [](const ApiRow& row) { return Numbers{row.id}; });
  EXPECT_EQ(calls, Select("SELECT id FROM rocpd_api WHERE pid IS NOT NULL ORDER BY start, id"));
}

TEST_F(ScannedRows, HaveTheirColumnsAnywhere) {
  WriteTrace(100);
  const std::vector<Numbers> before = KernelNumbers();
  ExecuteSql(
      path_,
      "PRAGMA legacy_alter_table = ON; ALTER TABLE rtl_op RENAME TO old;"
      "CREATE TABLE rtl_op (link, note TEXT, packet, waited, id INTEGER PRIMARY KEY,"
      " duration, start, launch, sequence);"
      "INSERT INTO rtl_op SELECT link, 'a text', packet, waited, id, duration, start, launch,"
      " sequence FROM old; DROP TABLE old");
  EXPECT_EQ(KernelNumbers(), before);
}

TEST_F(ScannedRows, NameTheFileInTheirErrors) {
  WriteTrace(100);
  ExecuteSql(path_, "UPDATE rtl_op SET start = 'soon' WHERE id = 7");
  EXPECT_EQ(ErrorOfKernels().substr(0, 14), "row 7 of page ");
  ExecuteSql(path_,
             "PRAGMA legacy_alter_table = ON; ALTER TABLE rtl_op RENAME COLUMN start TO begun");
  EXPECT_EQ(ErrorOfKernels(), "not as rtl writes it: rtl_op has no column start");
  ExecuteSql(path_, "DROP TABLE rtl_op; CREATE TABLE rtl_op (id, launch, start)");
  EXPECT_EQ(ErrorOfKernels(), "not as rtl writes it: rtl_op has no INTEGER PRIMARY KEY");
}

TEST_F(ScannedRows, StopOnCancellation) {
  WriteTrace(kMany);
  Shuffle();
  const std::atomic<bool> cancel{true};
  const auto reader = OpenTrace(path_);
  reader->SetCancel(&cancel);
  KernelSpanCursor spans;
  EXPECT_TRUE(WasCancelled(reader->SpansByStart(&spans)));
  MarkerCursor markers;
  EXPECT_TRUE(WasCancelled(reader->MarkersByStart(&markers)));
}

}  // namespace
}  // namespace rtl::query
