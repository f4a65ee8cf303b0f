// SPDX-License-Identifier: MIT
#include "trace/read/trace_reader.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/earlier_schemas.h"
#include "trace/read/error.h"
#include "trace/read/query_test_support.h"
#include "trace/schema/schema.h"

namespace rtl::query {
namespace {

namespace fs = std::filesystem;

// The rows that `cursor` has not returned yet.
template <typename Row, typename Cursor>
std::vector<Row> RowsOf(Cursor& cursor) {
  std::vector<Row> rows;
  while (true) {
    Row row;
    bool has_row = false;
    ExpectOk(cursor.Next(&row, &has_row));
    if (!has_row) return rows;
    rows.push_back(row);
  }
}

class TraceFile : public testing::Test {
 protected:
  // Open's error for `path`, without the path before it.
  std::string Refusal(const std::string& path) {
    std::unique_ptr<TraceReader> reader;
    const std::string message = TraceReader::Open(path, &reader).message();
    EXPECT_EQ(message.substr(0, path.size() + 2), path + ": ");
    EXPECT_EQ(message.find('\n'), std::string::npos);
    return message.substr(std::min(message.size(), path.size() + 2));
  }
  void WriteSmallTrace() {
    TestTrace trace(path_);
    trace.Queue(0);
    trace.Kernel("_Z4gemmPf");
    for (uint64_t i = 0; i < 1000; ++i) {
      trace.Add({.tid = 100, .submit = 1000 + i, .start = 5000 + i * 10, .end = 5005 + i * 10});
    }
    trace.Finish();
  }
  size_t FilesInDirectory() { return directory_.Count(); }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
};

TEST_F(TraceFile, IsReadBackAsItWasWritten) {
  TestTrace trace(path_);
  trace.Queue(1);
  trace.Kernel("_Z4gemmPf");
  trace.Add({.tid = 101, .submit = 40, .start = 50, .end = 90});
  trace.Finish();
  auto reader = OpenTrace(path_);
  ASSERT_NE(reader, nullptr);

  KernelCursor cursor;
  ExpectOk(reader->KernelsBySubmit(&cursor));
  const auto rows = RowsOf<KernelRow>(cursor);
  ASSERT_EQ(rows.size(), 1u);
  const KernelRow& row = rows[0];
  EXPECT_EQ(row.pid, 1000u);
  EXPECT_EQ(row.tid, 101u);
  EXPECT_EQ(row.gpu, 1);
  EXPECT_EQ(row.submit, 40u);
  EXPECT_EQ(row.start, 50u);
  EXPECT_EQ(row.end, 90u);
  EXPECT_EQ(row.dispatch, 1u);
  EXPECT_EQ(row.packet, 0u);
  EXPECT_EQ(row.grid[0], 1000u);
  EXPECT_EQ(row.workgroup[0], 64u);
  EXPECT_EQ(row.group_segment, 512u);
  EXPECT_EQ(row.private_segment, 16u);
  std::string_view name;
  ExpectOk(reader->Text(row.name, &name));
  EXPECT_EQ(name, "gemm(float*)");

  std::vector<Process> processes;
  ExpectOk(reader->tables().Processes(&processes));
  ASSERT_EQ(processes.size(), 1u);
  EXPECT_EQ(processes[0].command, "app --steps 3");
  std::vector<Agent> agents;
  ExpectOk(reader->tables().Agents(&agents));
  ASSERT_EQ(agents.size(), 2u);
  EXPECT_EQ(agents[1].gpu, 1);
  EXPECT_EQ(agents[1].name, "gfx906");
  std::vector<Queue> queues;
  ExpectOk(reader->tables().Queues(&queues));
  ASSERT_EQ(queues.size(), 1u);
  EXPECT_EQ(queues[0].hsa_id, 17u);
  EXPECT_EQ(queues[0].gpu, 1);
  std::vector<KernelInfo> kernels;
  ExpectOk(reader->tables().Kernels(&kernels));
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].id, row.kernel);
  EXPECT_EQ(kernels[0].vgprs, 32u);
  ExpectOk(reader->Text(kernels[0].mangled, &name));
  EXPECT_EQ(name, "_Z4gemmPf");
}

TEST_F(TraceFile, GivesKernelsInTheOrderOfSubmissionAndSpansInTheOrderOfStart) {
  TestTrace trace(path_);
  trace.Queue(0);
  trace.Kernel("k");
  trace.Add({.submit = 30, .start = 100, .end = 110});
  trace.Add({.submit = 0, .start = 20, .end = 25});
  trace.Add({.submit = 10, .start = 200, .end = 210});
  trace.Add({.submit = 90, .start = 50, .end = 60});  // inconsistent clocks
  trace.Finish();
  ExecuteSql(path_, "UPDATE rtl_op SET waited = NULL WHERE duration = 5");  // not known
  auto reader = OpenTrace(path_);
  KernelCursor kernels;
  ExpectOk(reader->KernelsBySubmit(&kernels));
  std::vector<uint64_t> starts;
  for (const KernelRow& row : RowsOf<KernelRow>(kernels)) starts.push_back(row.start);
  EXPECT_EQ(starts, (std::vector<uint64_t>{200, 20, 100, 50}));

  KernelSpanCursor spans;
  ExpectOk(reader->SpansByStart(&spans));
  starts.clear();
  for (const KernelSpan& span : RowsOf<KernelSpan>(spans)) starts.push_back(span.start);
  EXPECT_EQ(starts, (std::vector<uint64_t>{20, 50, 100, 200}));
}

TEST_F(TraceFile, GivesMarkersByStartAndOuterRangesFirst) {
  TestTrace trace(path_);
  trace.Push(1, 10, "outer");
  trace.Push(1, 10, "inner");
  trace.Pop(1, 20);
  trace.Pop(1, 30);
  trace.Mark(1, 5, "mark");
  trace.Start(2, 7, 77, "async");
  trace.Push(3, 800, "left open");
  trace.Finish();
  auto reader = OpenTrace(path_);
  MarkerCursor cursor;
  ExpectOk(reader->MarkersByStart(&cursor));
  std::vector<std::string> seen;
  for (const MarkerRow& row : RowsOf<MarkerRow>(cursor)) {
    std::string_view name;
    ExpectOk(reader->Text(row.name, &name));
    seen.push_back(std::string(name) + " " + std::to_string(row.start) + "-" +
                   std::to_string(row.end) + (row.is_mark ? " mark" : "") +
                   (row.is_start_stop ? " range " + std::to_string(row.range) : "") +
                   (row.is_unclosed ? " unclosed" : ""));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"mark 5-5 mark", "async 7-9000 range 77 unclosed",
                                            "outer 10-30", "inner 10-20",
                                            "left open 800-9000 unclosed"}));
}

TEST_F(TraceFile, LeavesNoFileBesideIt) {
  WriteSmallTrace();
  ASSERT_EQ(FilesInDirectory(), 1u);
  auto reader = OpenTrace(path_);
  KernelCursor cursor;
  ExpectOk(reader->KernelsBySubmit(&cursor));
  KernelRow row;
  bool has_row = false;
  ExpectOk(cursor.Next(&row, &has_row));
  EXPECT_EQ(FilesInDirectory(), 1u);
  reader.reset();
  EXPECT_EQ(FilesInDirectory(), 1u);
}

TEST_F(TraceFile, IsFoundUnderAnyName) {
  WriteSmallTrace();
  const std::string odd = directory_.File("100% of ? #1 & more.db");
  fs::rename(path_, odd);
  EXPECT_NE(OpenTrace(odd), nullptr);
}

TEST_F(TraceFile, IsRefusedWithASentenceForOtherFiles) {
  EXPECT_EQ(Refusal(path_), "no such file");
  EXPECT_EQ(Refusal(directory_.path()), "a directory, not a trace");
  std::ofstream(path_).close();
  EXPECT_EQ(Refusal(path_), "empty");
  std::ofstream(path_) << "#!/bin/sh\necho hello\n";
  EXPECT_EQ(Refusal(path_), "not a database");
  std::ofstream(path_) << "SQLite";
  EXPECT_EQ(Refusal(path_), "truncated in its header");
  EXPECT_EQ(Refusal("/dev/null"), "not a regular file");
  EXPECT_EQ(Refusal(path_ + "/x"), "cannot be opened: Not a directory");
}

TEST_F(TraceFile, IsRefusedWithoutPermission) {
  constexpr uid_t kNobody = 65534;
  WriteSmallTrace();
  ASSERT_EQ(chmod(path_.c_str(), 0), 0);
  ASSERT_EQ(chmod(directory_.path().c_str(), 0755), 0);
  const uid_t user = geteuid();
  ASSERT_EQ(seteuid(user == 0 ? kNobody : user), 0);  // root may read everything
  EXPECT_EQ(Refusal(path_), "cannot be opened: Permission denied");
  ASSERT_EQ(seteuid(user), 0);
}

TEST_F(TraceFile, IsRefusedWhenItsEndIsMissing) {
  WriteSmallTrace();
  const uintmax_t size = fs::file_size(path_);
  fs::resize_file(path_, size / 2);
  EXPECT_EQ(Refusal(path_),
            "truncated: " + std::to_string(size / 2) + " of " + std::to_string(size) + " bytes");
}

TEST_F(TraceFile, IsRefusedWhenItsPagesAreDamaged) {
  WriteSmallTrace();
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(100);
  file << std::string(8000, '\x5A');
  file.close();
  EXPECT_NE(Refusal(path_).find("damaged"), std::string::npos);
}

TEST_F(TraceFile, ReportsDamageThatOnlyAppearsWhileReading) {
  WriteSmallTrace();
  const uintmax_t size = fs::file_size(path_);
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  // Damages all but the first pages: the schema stays readable.
  for (uintmax_t at = 16384 * 2; at < size; at += 64) {
    file.seekp(static_cast<std::streamoff>(at));
    file << std::string(64, '\xA5');
  }
  file.close();
  std::unique_ptr<TraceReader> reader;
  Status status = TraceReader::Open(path_, &reader);
  KernelCursor cursor;
  KernelRow row;
  bool has_row = true;
  if (status.ok()) status = reader->KernelsBySubmit(&cursor);
  while (status.ok() && has_row) status = cursor.Next(&row, &has_row);
  EXPECT_EQ(std::string(status.message()).substr(0, path_.size() + 10), path_ + ": damaged:");
}

TEST_F(TraceFile, IsRefusedWhenAnotherToolWroteIt) {
  ExecuteSql(path_, "CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  EXPECT_EQ(Refusal(path_), "a database, but not a trace");
  ExecuteSql(path_, "CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId, start, end)");
  EXPECT_EQ(Refusal(path_), "a rocpd database of another tool; rtl reads only its own traces");
}

TEST_F(TraceFile, IsRefusedWhenItsKernelsArePacked) {
  WriteSmallTrace();
  ExecuteSql(path_, "CREATE TABLE rtl_op_block (id INTEGER PRIMARY KEY, data BLOB)");
  EXPECT_EQ(Refusal(path_),
            "its kernels are packed, which this version does not read; the rtl that wrote it makes "
            "rows of them: rtl convert --to db");
}

TEST_F(TraceFile, IsRefusedWhenItsSchemaIsOlderOrNewer) {
  WriteSmallTrace();
  const auto set_version = [&](const std::string& version) {
    ExecuteSql(path_,
               "UPDATE rocpd_metadata SET value = '" + version + "' WHERE tag = 'schema_version'");
  };
  set_version("0");
  const std::string ours = "; this version reads schema " + std::to_string(store::kSchemaVersion);
  const std::string newer = std::to_string(store::kSchemaVersion + 1);
  EXPECT_EQ(Refusal(path_), "written by an older version of rtl: schema 0" + ours);
  set_version(newer);
  EXPECT_EQ(Refusal(path_), "written by a newer version of rtl: schema " + newer + ours);
  set_version("5");
  ExecuteSql(path_, "DROP VIEW rocpd_op; DROP TABLE rtl_op; CREATE TABLE rocpd_op (id)");
  EXPECT_EQ(Refusal(path_), "written by an older version of rtl: schema 5" + ours);
  set_version("x");
  EXPECT_EQ(Refusal(path_), "written with an unknown schema x" + ours);
  ExecuteSql(path_, "DELETE FROM rocpd_metadata");
  EXPECT_EQ(Refusal(path_), "a trace without a schema version");
}

// Every call, as text.
std::vector<std::string> CallsOf(const std::string& path) {
  const auto reader = OpenTrace(path);
  ApiCursor call_cursor;
  ExpectOk(reader->ApisByStart(&call_cursor));
  const auto calls = RowsOf<ApiRow>(call_cursor);
  CallSpanCursor span_cursor;
  ExpectOk(reader->CallSpansByStart(&span_cursor));
  const auto spans = RowsOf<CallSpan>(span_cursor);
  EXPECT_EQ(spans.size(), calls.size());
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(calls.size(), spans.size()); ++i) {
    const ApiRow& call = calls[i];
    const CallSpan& span = spans[i];
    EXPECT_EQ(span.process, call.process);
    EXPECT_EQ(span.pid, call.pid);
    EXPECT_EQ(span.tid, call.tid);
    EXPECT_EQ(span.name, call.name);
    EXPECT_EQ(span.start, call.start);
    EXPECT_EQ(span.end, call.end);
    std::string text;
    for (const int64_t number :
         {call.id, int64_t{call.pid}, int64_t{call.tid}, call.name, call.arguments,
          static_cast<int64_t>(call.start), static_cast<int64_t>(call.end),
          static_cast<int64_t>(call.correlation), call.process, int64_t{call.result},
          call.stream}) {
      text += std::to_string(number) + " ";
    }
    texts.push_back(text);
  }
  return texts;
}

TEST_F(TraceFile, OfSchema7HasItsCallsInATableAndIsRead) {
  test::TraceBuilder trace;
  const uint32_t copy = test::TraceBuilder::CallNumber("hipMemcpy");
  const std::initializer_list<uint64_t> slots = {0x1000, 0x2000, 4096, 1};
  trace.Call(copy, slots, {.start = 100, .end = 190, .correlation = 1});
  trace.Call(copy, slots, {.start = 200, .end = 390, .thread = 102, .correlation = 2});
  trace.Call(copy, slots, {.start = 200, .end = 400, .correlation = 3, .result = 1});
  ExpectOk(trace.WriteDatabase(path_));
  const std::vector<std::string> calls = CallsOf(path_);
  EXPECT_EQ(calls.size(), 3u);
  ExecuteSql(path_, test::kMakeEarlierNamesSql);
  ExecuteSql(path_, test::kMakeLinkTableSql);
  EXPECT_EQ(CallsOf(path_), calls);
  ExecuteSql(path_, test::kMakeWideCallsSql);
  EXPECT_EQ(CallsOf(path_), calls);
}

TEST_F(TraceFile, OfSchema9HasNoCallsOfRccl) {
  WriteSmallTrace();
  ExecuteSql(path_, test::kMakeEarlierNamesSql);
  ExecuteSql(path_, test::kMakeLinkTableSql);
  ExecuteSql(path_, "DROP VIEW rccl_call; DROP TABLE rtl_rccl_call");
  ExecuteSql(path_, "UPDATE rocpd_metadata SET value = '9' WHERE tag = 'schema_version'");
  const auto reader = OpenTrace(path_);
  EventCursor events;
  ExpectOk(reader->EventsByStart(EventKind::kRcclCall, &events));
  EXPECT_TRUE(RowsOf<EventRow>(events).empty());
}

// Schema 6 has no span kinds, either.
TEST_F(TraceFile, OfThePreviousVersionIsRead) {
  WriteSmallTrace();
  ExecuteSql(path_, test::kMakeEarlierNamesSql);
  ExecuteSql(path_, test::kMakeLinkTableSql);
  ExecuteSql(path_, test::kMakeWideCallsSql);
  ExecuteSql(path_, "UPDATE rocpd_metadata SET value = '6' WHERE tag = 'schema_version'");
  for (const char* kind : {"hsa_call", "memory_allocation", "scratch_memory", "runtime_init"}) {
    ExecuteSql(path_, std::string("DROP VIEW ") + kind + "; DROP TABLE rtl_" + kind);
  }
  ExecuteSql(path_, "DROP TABLE rtl_place");
  const auto reader = OpenTrace(path_);
  KernelCursor kernels;
  KernelRow kernel;
  bool has_row = false;
  ExpectOk(reader->KernelsBySubmit(&kernels));
  ExpectOk(kernels.Next(&kernel, &has_row));
  EXPECT_TRUE(has_row);
  EventCursor events;
  ExpectOk(reader->EventsByStart(EventKind::kHsaCall, &events));
  EXPECT_TRUE(RowsOf<EventRow>(events).empty());
}

TEST_F(TraceFile, WithoutTheTableOfASpanKindIsRefused) {
  WriteSmallTrace();
  ExecuteSql(path_, "DROP VIEW hsa_call; DROP TABLE rtl_hsa_call");
  EXPECT_EQ(Refusal(path_), "a rocpd database of another tool; rtl reads only its own traces");
}

TEST_F(TraceFile, IsRefusedWhileAnotherProgramWritesIt) {
  WriteSmallTrace();
  std::ofstream(path_ + "-wal") << "something";
  EXPECT_EQ(Refusal(path_),
            "another program has it open for writing (-wal file beside it); finish that first");
}

TEST_F(TraceFile, StopsReadingOnCancellation) {
  TestTrace trace(path_);
  trace.Queue(0);
  trace.Kernel("k");
  for (uint64_t i = 0; i < 50'000; ++i) trace.Add({.start = i, .end = i + 1});
  trace.Finish();
  auto reader = OpenTrace(path_);
  const std::atomic<bool> cancel{true};
  reader->SetCancel(&cancel);
  KernelCursor cursor;
  Status status = reader->KernelsBySubmit(&cursor);  // opening reads rows, too
  KernelRow row;
  bool has_row = true;
  while (status.ok() && has_row) status = cursor.Next(&row, &has_row);
  EXPECT_TRUE(WasCancelled(status)) << status.message();
}

TEST(SqliteError, IsOneLine) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &db), SQLITE_OK);
  sqlite3_stmt* none = nullptr;
  const int code = sqlite3_prepare_v2(db, "SELECT \"a\nb", -1, &none, nullptr);
  const std::string message = SqliteError("t.db", db, code).message();
  EXPECT_EQ(sqlite3_close(db), SQLITE_OK);
  EXPECT_NE(message.find("unrecognized token"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(FileError, KeepsTheCauseAfterALongPath) {
  const std::string path = "/start/" + std::string(4000, 'x') + "/end.db";
  const std::string message = FileError(path, "no such file").message();
  EXPECT_EQ(message.substr(0, 7), "/start/");
  EXPECT_NE(message.find("/end.db: no such file"), std::string::npos);
}

}  // namespace
}  // namespace rtl::query
