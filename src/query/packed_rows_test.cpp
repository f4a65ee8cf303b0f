// SPDX-License-Identifier: MIT
// The reader's rows of a packed trace and of the same trace in rows.
#include "query/packed_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "query/query_test_support.h"
#include "store/database.h"
#include "store/op_batch.h"
#include "tests/support/no_threads.h"

namespace rtl::query {
namespace {

template <typename... Values>
std::string Line(const Values&... values) {
  std::ostringstream text;
  ((text << values << ' '), ...);
  return text.str();
}

std::string Show(const KernelRow& row) {
  return Line(row.id, row.launch, row.dispatch, row.pid, row.tid, row.gpu, row.queue, row.kernel,
              row.name, row.submit, row.start, row.end, row.grid[0], row.workgroup[0],
              row.group_segment, row.private_segment, row.correlation, row.packet, row.graph,
              row.graph_launch, row.graph_node);
}
std::string Show(const KernelSpan& row) {
  return Line(row.name, row.gpu, row.queue, row.start, row.end);
}
std::string Show(const MarkerRow& row) {
  return Line(row.id, row.pid, row.tid, row.name, row.start, row.end, row.range, row.is_mark);
}
std::string Show(const CopyRow& row) {
  return Line(row.id, row.tid, row.name, row.bytes, row.submit, row.start, row.end,
              row.correlation);
}
std::string Show(const BarrierRow& row) {
  return Line(row.id, row.queue, row.name, row.submit, row.start, row.end, row.packet);
}
std::string Show(const LaunchRow& row) {
  return Line(row.name, row.call_start, row.submit, row.start, row.end);
}

std::string Show(const ApiRow& row) {
  return Line(row.id, row.tid, row.name, row.start, row.end, row.correlation, row.stream);
}

template <typename Row, typename Cursor>
std::vector<std::string> Drained(TraceReader* trace, Status (TraceReader::*open)(Cursor*)) {
  Cursor cursor;
  ExpectOk((trace->*open)(&cursor));
  std::vector<std::string> lines;
  while (true) {
    Row row;
    bool has_row = false;
    const Status status = cursor.Next(&row, &has_row);
    if (!status.ok()) lines.push_back(status.message());
    if (!has_row || !status.ok()) return lines;
    lines.push_back(Show(row));
  }
}

class PackedTrace : public testing::Test {
 protected:
  // Two processes whose kernels are submitted in turns, wait for any time, and end in any order; a
  // few without a time of submission; markers, copies, barriers and calls between them.
  void WriteBoth(bool graphs = false) {
    TestTrace trace(path_);
    for (int process = 0; process < 2; ++process) {
      if (process > 0) trace.NextProcess();
      for (uint32_t queue = 0; queue < 3; ++queue) trace.Queue(queue % 2);
      for (const char* name : {"_Z4gemmPf", "_Z4copyPf", ""}) trace.Kernel(name);
      for (uint64_t i = 0; i < kKernels; ++i) AddKernel(&trace, i, static_cast<uint64_t>(process));
      trace.Push(7, 500, "outer");
      trace.Mark(7, 600, "mark");
      trace.Pop(7, 700'000);
      CopyRecord copy;
      copy.copy = 1;
      copy.submitted = 400;
      copy.start = 500;
      copy.end = 900;
      copy.bytes = 4096;
      trace.Copy(copy);
      BarrierRecord barrier;
      barrier.queue = 1;
      barrier.submitted = 300;
      barrier.start = 310;
      barrier.end = 330;
      trace.Barrier(barrier);
      trace.SetDevice({.start = 90, .end = 95, .correlation = 5});
      if (graphs) trace.GraphLaunch({.start = 60, .end = 70, .correlation = 6});
    }
    trace.FinishPacked(packed_);
  }
  static void AddKernel(TestTrace* trace, uint64_t i, uint64_t process) {
    const uint64_t submit = 1000 + (i * 2 + process) * 50;
    const uint64_t start = submit + 100 + i * 7919 % 3000;
    const TestTrace::Dispatch dispatch = {.kernel = static_cast<uint32_t>(1 + i % 3),
                                          .queue = static_cast<uint32_t>(1 + i % 2),
                                          .tid = 100,
                                          .submit = submit,
                                          .start = start,
                                          .end = start + 1 + i % 50,
                                          .correlation = i % 10 == 0 ? 5u + i % 20 / 10 : 0u};
    if (i % 97 == 0) {
      trace->AddUnsubmitted(dispatch);
    } else {
      trace->Add(dispatch);
    }
  }

  void ExpectSame() {
    const auto rows = OpenTrace(path_);
    const auto packed = OpenTrace(packed_);
    ASSERT_NE(rows, nullptr);
    ASSERT_NE(packed, nullptr);
    EXPECT_FALSE(rows->packed());
    EXPECT_TRUE(packed->packed());
    Compare<KernelRow>(&TraceReader::KernelsBySubmit, 2 * kKernels);
    Compare<KernelSpan>(&TraceReader::SpansByStart, 2 * kKernels);
    Compare<MarkerRow>(&TraceReader::MarkersByStart, 4);
    Compare<CopyRow>(&TraceReader::CopiesByStart, 2);
    Compare<BarrierRow>(&TraceReader::BarriersBySubmit, 2);
    Compare<ApiRow>(&TraceReader::ApisByStart, 2);
    Compare<LaunchRow>(&TraceReader::Launches, 1);
  }
  // Equal times may come in any order.
  template <typename Row, typename Cursor>
  void Compare(Status (TraceReader::*open)(Cursor*), size_t least) {
    auto rows = Drained<Row>(OpenTrace(path_).get(), open);
    auto packed = Drained<Row>(OpenTrace(packed_).get(), open);
    EXPECT_GE(rows.size(), least);
    std::sort(rows.begin(), rows.end());
    std::sort(packed.begin(), packed.end());
    ASSERT_EQ(packed.size(), rows.size());
    EXPECT_TRUE(packed == rows);
  }

  // Adds blocks that cover the whole time of the trace, of kernels like the first one.
  void AddLongBlocks(size_t count) {
    store::Database database;
    ExpectOk(database.Open(packed_, packed_));
    ExpectOk(database.BeginBuilding(1 << 20));
    store::OpBatch batch;
    ExpectOk(batch.Prepare(database));
    constexpr auto kOrigin = static_cast<int64_t>(test::TraceBuilder::kOpened);
    int64_t id = 1'000'000;
    for (size_t block = 0; block < count; ++block) {
      for (size_t i = 0; i < store::kBlockRows; ++i, ++id) {
        const int64_t start = i == 0 ? 2 : 1'000'000'000 + id;
        ExpectOk(batch.Add(id, {1, start, 10, 1, 0, 0, 0}, kOrigin, false));
      }
    }
    ExpectOk(batch.Flush());
    batch.Finalize();
    ExpectOk(database.Execute("COMMIT"));
  }

  static constexpr size_t kKernels = 6'000;
  test::TempDir directory_;
  std::string path_ = directory_.File("rows.db");
  std::string packed_ = directory_.File("packed.db");
};

TEST_F(PackedTrace, ReadsLikeTheSameTraceInRows) {
  WriteBoth();
  ExpectSame();
}

TEST_F(PackedTrace, ReadsLikeTheSameTraceInRowsWithGraphs) {
  WriteBoth(true);
  ExpectSame();
}

TEST_F(PackedTrace, GivesKernelsInTheOrderOfTime) {
  WriteBoth();
  const auto trace = OpenTrace(packed_);
  KernelCursor kernels;
  ExpectOk(trace->KernelsBySubmit(&kernels));
  KernelSpanCursor spans;
  ExpectOk(trace->SpansByStart(&spans));
  uint64_t last_submit = 0;
  uint64_t last_start = 0;
  KernelRow kernel;
  KernelSpan span;
  bool has_row = true;
  size_t count = 0;
  for (; has_row; ++count) {
    ExpectOk(kernels.Next(&kernel, &has_row));
    const uint64_t submit = kernel.submit != 0 ? kernel.submit : kernel.start;
    ASSERT_GE(submit, last_submit);
    last_submit = submit;
    ExpectOk(spans.Next(&span, &has_row));
    ASSERT_GE(span.start, last_start);
    last_start = span.start;
  }
  EXPECT_EQ(count, 2 * kKernels + 1);
}

TEST_F(PackedTrace, IsMergedWhereBlocksOverlapAndSortedBySqliteWhereTooManyDo) {
  WriteBoth();
  constexpr size_t kLong = 3;
  AddLongBlocks(kLong);
  const auto merged = Drained<KernelRow>(OpenTrace(packed_).get(), &TraceReader::KernelsBySubmit);
  EXPECT_EQ(merged.size(), 2 * kKernels + kLong * store::kBlockRows);
  std::unique_ptr<PackedRows> rows;
  ExpectOk(PackedRows::Open(packed_, 1, RowOrder::kSubmit, nullptr, &rows));
  EXPECT_NE(rows, nullptr);
  rows.reset();
  ExpectOk(PackedRows::Open(packed_, 1, RowOrder::kSubmit, nullptr, &rows,
                            kLong * store::kBlockRows - 1));
  EXPECT_EQ(rows, nullptr);
  // SQLite sorts a trace with graphs, too: the same rows.
  ExecuteSql(packed_, "UPDATE rocpd_string SET string = 'hipGraphLaunch' WHERE id = 2");
  auto sorted = Drained<KernelRow>(OpenTrace(packed_).get(), &TraceReader::KernelsBySubmit);
  EXPECT_EQ(sorted.size(), merged.size());
}

TEST_F(PackedTrace, IsSortedBySqliteWithoutAThread) {
  WriteBoth();
  const test::NoThreads none;
  std::unique_ptr<PackedRows> rows;
  ExpectOk(PackedRows::Open(packed_, 1, RowOrder::kStart, nullptr, &rows));
  EXPECT_EQ(rows, nullptr);
  ExpectSame();
}

TEST_F(PackedTrace, CountsItsEventsWithoutReadingThem) {
  WriteBoth();
  uint64_t events = 0;
  ExpectOk(OpenTrace(packed_)->EventCount(&events));
  EXPECT_GE(events, 2 * kKernels);
  EXPECT_LE(events, 2 * kKernels + store::kBlockRows);
}

TEST_F(PackedTrace, ReportsItsDamage) {
  WriteBoth();
  const std::string broken = packed_ + ": a block of packed rows is broken: ";
  ExecuteSql(packed_, "UPDATE rtl_op_block SET last_submit = first_submit");
  auto lines = Drained<KernelRow>(OpenTrace(packed_).get(), &TraceReader::KernelsBySubmit);
  EXPECT_EQ(lines.back(), broken + "a time outside of it");
  ExecuteSql(packed_, "UPDATE rtl_op_block SET first_start = -5");
  KernelSpanCursor cursor;
  auto trace = OpenTrace(packed_);
  EXPECT_EQ(trace->SpansByStart(&cursor).message(), broken + "impossible numbers");
  ExecuteSql(packed_, "UPDATE rtl_op_block SET data = substr(data, 1, length(data) - 1)");
  lines = Drained<KernelRow>(OpenTrace(packed_).get(), &TraceReader::KernelsBySubmit);
  EXPECT_EQ(lines.back().find(broken), 0u) << lines.back();
}

TEST_F(PackedTrace, StopsReadingOnCancellation) {
  WriteBoth();
  const auto trace = OpenTrace(packed_);
  const std::atomic<bool> cancel{true};
  trace->SetCancel(&cancel);
  const auto lines = Drained<KernelRow>(trace.get(), &TraceReader::KernelsBySubmit);
  EXPECT_EQ(lines, std::vector<std::string>{"interrupted"});
}

TEST_F(PackedTrace, MayBeReadInPart) {
  WriteBoth();
  AddLongBlocks(6);  // more than the thread keeps ahead
  const auto trace = OpenTrace(packed_);
  KernelCursor cursor;
  ExpectOk(trace->KernelsBySubmit(&cursor));
  KernelRow row;
  bool has_row = false;
  ExpectOk(cursor.Next(&row, &has_row));
  EXPECT_TRUE(has_row);
}

}  // namespace
}  // namespace rtl::query
