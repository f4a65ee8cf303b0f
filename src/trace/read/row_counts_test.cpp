// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "trace/read/query_test_support.h"
#include "trace/read/selection.h"

namespace rtl::query {
namespace {

// One row of each kind before 1000 ns, and one after.
void WriteTwoOfEach(const std::string& path) {
  TestTrace trace(path);
  trace.Queue(0);
  trace.Kernel("gemm");
  for (const uint64_t t : {200, 2000}) {
    trace.Add({.start = t, .end = t + 10});
    trace.Counter(t == 200 ? 1 : 2, "SQ_WAVES", 5);
    trace.Counter(t == 200 ? 1 : 2, "SQ_BUSY_CYCLES", 7);
    trace.Call("hipMemset", {0x10, 0, 1}, {.start = t, .end = t + 5, .correlation = t});
    CopyRecord copy;
    copy.dst_agent = 1;
    copy.start = t;
    copy.end = t + 10;
    trace.Copy(copy);
    BarrierRecord barrier;
    barrier.queue = 1;
    barrier.kind = BarrierKind::kAnd;
    barrier.start = t;
    barrier.end = t + 10;
    trace.Barrier(barrier);
    trace.Mark(1, t, "here");
    trace.builder().Event(EventKind::kHsaCall, test::TraceBuilder::HsaOperation("hsa_init"),
                          HsaCallValues{}, {.start = t, .end = t + 1});
    trace.builder().Event(EventKind::kAllocation, 0, AllocationValues{},
                          {.start = t, .end = t + 1});
    trace.builder().Event(EventKind::kScratch, 0, ScratchValues{}, {.start = t, .end = t + 1});
    trace.builder().Event(EventKind::kInit, 0, InitValues{}, {.start = t, .end = t + 1});
    trace.builder().Event(EventKind::kRcclCall, 0, RcclCallValues{}, {.start = t, .end = t + 1});
  }
  trace.Finish();
  ExecuteSql(path,
             "CREATE TABLE rtl_operator (id INTEGER PRIMARY KEY, process_id INTEGER, tid INTEGER,"
             " kind INTEGER, name_id INTEGER, inputs_id INTEGER, start INTEGER, duration INTEGER);"
             "INSERT INTO rtl_operator VALUES (1, 1, 1, 1, 1, NULL, 200, 5),"
             " (2, 1, 1, 1, 1, NULL, 2000, 5), (3, 1, 1, 2, 1, NULL, 200, 5),"
             " (4, 1, 1, 2, 1, NULL, 2000, 5)");
}

TEST(CountRows, CountsEachKindAndTheSelectedOnes) {
  const test::TempDir directory;
  const std::string path = directory.File("trace.db");
  WriteTwoOfEach(path);
  const auto reader = OpenTrace(path);
  Selection selection;
  ExpectOk(Selection::Make(*reader, {.to = 1000}, &selection));
  for (size_t i = 0; i < kRowKindCount; ++i) {
    const auto kind = static_cast<RowKind>(i);
    const bool is_here =
        kind != RowKind::kSample && kind != RowKind::kInFlight && kind != RowKind::kFault;
    uint64_t rows = 0;
    reader->Select(nullptr);
    ExpectOk(reader->CountRows(kind, &rows));
    EXPECT_EQ(rows, is_here ? 2u : 0u) << TextOf(kind, 2);
    reader->Select(&selection);
    ExpectOk(reader->CountRows(kind, &rows));
    EXPECT_EQ(rows, is_here ? 1u : 0u) << TextOf(kind, 2) << ", selected";
  }
}

}  // namespace
}  // namespace rtl::query
