// SPDX-License-Identifier: MIT
#include "analysis/summary.h"

#include <gtest/gtest.h>

#include "trace/read/query_test_support.h"

namespace rtl::analysis {
namespace {

using query::ExpectOk;
using query::TestTrace;

class SummaryOf : public testing::Test {
 protected:
  Summary Summarized() {
    trace_.Finish();
    Summary summary;
    reader_ = query::OpenTrace(path_);
    ExpectOk(Summarize(*reader_, &summary));
    return summary;
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  TestTrace trace_{path_};
  std::unique_ptr<query::TraceReader> reader_;
};

TEST_F(SummaryOf, IsEmptyForAnEmptyTrace) {
  const Summary summary = Summarized();
  EXPECT_EQ(summary.calls, 0u);
  EXPECT_EQ(summary.wall(), 0u);
  EXPECT_TRUE(summary.kernels.empty());
  EXPECT_TRUE(summary.gpus.empty());
}

TEST_F(SummaryOf, KernelsHaveTheirTimesWithTheLargestTotalFirst) {
  trace_.Queue(0);
  trace_.Kernel("small");
  trace_.Kernel("large");
  trace_.Add({.kernel = 1, .start = 0, .end = 10});
  trace_.Add({.kernel = 1, .start = 10, .end = 30});
  trace_.Add({.kernel = 1, .start = 30, .end = 60});
  trace_.Add({.kernel = 2, .start = 100, .end = 240});
  const Summary summary = Summarized();
  EXPECT_EQ(summary.calls, 4u);
  EXPECT_EQ(summary.total, 200u);
  ASSERT_EQ(summary.kernels.size(), 2u);
  EXPECT_EQ(summary.kernels[0].name, "large");
  EXPECT_DOUBLE_EQ(summary.kernels[0].share, 0.7);
  const KernelSummary& small = summary.kernels[1];
  EXPECT_EQ(small.name, "small");
  EXPECT_EQ(small.calls, 3u);
  EXPECT_EQ(small.total, 60u);
  EXPECT_EQ(small.average(), 20u);
  EXPECT_EQ(small.median, 20u);
  EXPECT_EQ(small.min, 10u);
  EXPECT_EQ(small.max, 30u);
}

TEST_F(SummaryOf, MergesOneNameOfSeveralCodeObjects) {
  trace_.Queue(0);
  trace_.Kernel("jit");
  trace_.Kernel("jit");
  trace_.Add({.kernel = 1, .start = 0, .end = 10});
  trace_.Add({.kernel = 2, .start = 20, .end = 30});
  const Summary summary = Summarized();
  ASSERT_EQ(summary.kernels.size(), 1u);
  EXPECT_EQ(summary.kernels[0].calls, 2u);
}

//  GPU 0  queue 1   [0,100)                        [500,600)
//         queue 2      [50,150)  [60,70)
//  GPU 1  queue 3         [80,90)
TEST_F(SummaryOf, BusyTimeCountsOverlapOnce) {
  trace_.Queue(0);
  trace_.Queue(0);
  trace_.Queue(1);
  trace_.Kernel("k");
  trace_.Add({.queue = 1, .start = 500, .end = 600});
  trace_.Add({.queue = 2, .start = 60, .end = 70});
  trace_.Add({.queue = 1, .start = 0, .end = 100});
  trace_.Add({.queue = 2, .start = 50, .end = 150});
  trace_.Add({.queue = 3, .start = 80, .end = 90});
  const Summary summary = Summarized();
  ASSERT_EQ(summary.gpus.size(), 2u);
  EXPECT_EQ(summary.gpus[0].name, "gfx906");
  EXPECT_EQ(summary.gpus[0].busy, 250u);
  EXPECT_EQ(summary.gpus[0].kernels, 4u);
  EXPECT_EQ(summary.gpus[0].queues, 2u);
  EXPECT_EQ(summary.gpus[1].busy, 10u);
  EXPECT_EQ(summary.wall(), 600u);
}

TEST_F(SummaryOf, KernelsSortByTheRequestedOrderAndThenByName) {
  std::vector<KernelSummary> kernels(3);
  kernels[0] = {{.total = 100}, "b", 10};
  kernels[1] = {{.total = 50}, "a", 10};
  kernels[2] = {{.total = 80}, "c", 1};
  const auto order = [&](SummaryOrder by) {
    Sort(by, &kernels);
    return kernels[0].name + kernels[1].name + kernels[2].name;
  };
  EXPECT_EQ(order(SummaryOrder::kTotal), "bca");
  EXPECT_EQ(order(SummaryOrder::kCalls), "abc");
  EXPECT_EQ(order(SummaryOrder::kAverage), "cba");
}

TEST_F(SummaryOf, MarkersSeparateRangesFromMarks) {
  trace_.Push(1, 10, "step");
  trace_.Pop(1, 40);
  trace_.Start(1, 100, 5, "step");
  trace_.Stop(2, 110, 5);
  trace_.Push(1, 200, "step");  // without a duration, but not a mark
  trace_.Pop(1, 200);
  trace_.Mark(1, 50, "epoch");
  Summarized();
  std::vector<MarkerSummary> markers;
  ExpectOk(SummarizeMarkers(*reader_, &markers));
  ASSERT_EQ(markers.size(), 2u);
  EXPECT_EQ(markers[0].name, "step");
  EXPECT_EQ(markers[0].ranges, 3u);
  EXPECT_EQ(markers[0].total, 40u);
  EXPECT_EQ(markers[0].min, 0u);
  EXPECT_EQ(markers[0].max, 30u);
  EXPECT_EQ(markers[1].name, "epoch");
  EXPECT_EQ(markers[1].marks, 1u);
  EXPECT_EQ(markers[1].ranges, 0u);
}

TEST_F(SummaryOf, ApisCountCallsTimesAndErrors) {
  trace_.SetDevice({.start = 100, .end = 110, .correlation = 1});
  trace_.SetDevice({.start = 200, .end = 230, .correlation = 2, .result = 101});
  trace_.SetDevice({.start = 300, .end = 320, .correlation = 3, .flags = kApiFlagNoResult});
  trace_.SetDevice({.start = 330, .end = 350, .correlation = 5, .result = 600});  // not ready
  trace_.GraphLaunch({.start = 400, .end = 500, .correlation = 4});
  (void)Summarized();
  std::vector<ApiSummary> apis;
  ExpectOk(SummarizeApis(*reader_, &apis));
  ASSERT_EQ(apis.size(), 2u);
  EXPECT_EQ(apis[0].name, "hipGraphLaunch");
  EXPECT_EQ(apis[1].name, "hipSetDevice");
  EXPECT_EQ(apis[1].calls, 4u);
  EXPECT_EQ(apis[1].errors, 1u);
  EXPECT_EQ(apis[1].total, 80u);
  EXPECT_EQ(apis[1].average(), 20u);
  EXPECT_EQ(apis[1].min, 10u);
  EXPECT_EQ(apis[1].median, 20u);
  EXPECT_EQ(apis[1].max, 30u);
}

TEST_F(SummaryOf, CopiesAreSummedPerDirectionAndPairOfMemories) {
  CopyRecord copy;
  copy.dst_agent = 2;
  copy.kind = CopyKind::kHostToDevice;
  copy.bytes = 3000;
  copy.start = 1000;
  copy.end = 1100;
  trace_.Copy(copy);
  copy.bytes = 1000;
  copy.start = 2000;
  copy.end = 2300;
  trace_.Copy(copy);
  copy.dst_agent = 0;
  copy.src_agent = 1;
  copy.kind = CopyKind::kDeviceToHost;
  copy.bytes = 64;
  trace_.Copy(copy);
  const Summary summary = Summarized();
  EXPECT_EQ(summary.calls, 0u) << "copies are no kernels";
  std::vector<CopySummary> copies;
  ExpectOk(SummarizeCopies(*reader_, &copies));
  ASSERT_EQ(copies.size(), 2u);
  EXPECT_EQ(copies[0].name, "CopyHostToDevice");
  EXPECT_EQ(copies[0].dst_gpu, 1);
  EXPECT_EQ(copies[0].src_gpu, -1);
  EXPECT_EQ(copies[0].copies, 2u);
  EXPECT_EQ(copies[0].bytes, 4000u);
  EXPECT_EQ(copies[0].total, 400u);
  EXPECT_EQ(copies[0].min, 100u);
  EXPECT_EQ(copies[0].max, 300u);
  EXPECT_DOUBLE_EQ(copies[0].gigabytes_per_second(), 10.0);
  EXPECT_EQ(copies[1].name, "CopyDeviceToHost");
  EXPECT_EQ(copies[1].src_gpu, 0);
}

TEST(EventSummaries, CountsEachNameOfEachKind) {
  const test::TempDir directory;
  const std::string path = directory.File("trace.db");
  test::TraceBuilder trace;
  const auto allocate = static_cast<uint16_t>(AllocationOperation::kAllocate);
  const auto free = static_cast<uint16_t>(AllocationOperation::kFree);
  trace.Event(EventKind::kAllocation, allocate, AllocationValues{.bytes = 100},
              {.start = 10, .end = 20});
  trace.Event(EventKind::kAllocation, free, AllocationValues{}, {.start = 30, .end = 31});
  trace.Event(EventKind::kAllocation, allocate, AllocationValues{.bytes = 50},
              {.start = 40, .end = 70});
  trace.Event(EventKind::kHsaCall, 0, HsaCallValues{}, {.start = 1, .end = 3});
  query::ExpectOk(trace.WriteDatabase(path));
  std::vector<EventSummary> events;
  query::ExpectOk(SummarizeEvents(*query::OpenTrace(path), &events));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].name, "hsa_init");
  EXPECT_EQ(events[0].kind->kind, EventKind::kHsaCall);
  EXPECT_EQ(events[1].name, "allocate");
  EXPECT_EQ(events[1].events, 2u);
  EXPECT_EQ(events[1].bytes, 150u);
  EXPECT_EQ(events[1].total, 40u);
  EXPECT_EQ(events[1].min, 10u);
  EXPECT_EQ(events[1].max, 30u);
  EXPECT_EQ(events[1].average(), 20u);
  EXPECT_EQ(events[2].name, "free");
}

TEST(Sort, OrdersEveryTable) {
  std::vector<ApiSummary> apis(3);
  apis[0] = {{.total = 60}, "a", 1};
  apis[1] = {{.total = 50}, "b", 5};
  apis[2] = {{.total = 40}, "c", 1};
  std::vector<CopySummary> copies(2);
  copies[0] = {{.total = 60}, "a", -1, -1, 10};
  copies[1] = {{.total = 50}, "b", -1, -1, 1};
  std::vector<MarkerSummary> markers(2);
  markers[0] = {{.total = 60}, "a", 10, 0};
  markers[1] = {{.total = 50}, "b", 1, 20};
  const auto names = [&](SummaryOrder order) {
    Sort(order, &apis);
    Sort(order, &copies);
    Sort(order, &markers);
    std::string text;
    for (const auto& row : apis) text += row.name;
    for (const auto& row : copies) text += row.name;
    for (const auto& row : markers) text += row.name;
    return text;
  };
  EXPECT_EQ(names(SummaryOrder::kTotal), "abcabab");
  EXPECT_EQ(names(SummaryOrder::kCalls), "bacabba");
  EXPECT_EQ(names(SummaryOrder::kAverage), "acbbaba");
}

TEST(SortEvents, OrdersEventsWithinTheirKinds) {
  const SpanKind* const calls = FindSpanKind(EventKind::kHsaCall);
  const SpanKind* const memory = FindSpanKind(EventKind::kAllocation);
  std::vector<EventSummary> events(3);
  events[0] = {.kind = calls, .name = "a", .events = 10, .total = 60};
  events[1] = {.kind = calls, .name = "b", .events = 1, .total = 50};
  events[2] = {.kind = memory, .name = "c", .events = 90, .total = 900};
  const auto names = [&](SummaryOrder order) {
    Sort(order, &events);
    std::string text;
    for (const EventSummary& event : events) text += event.name;
    return text;
  };
  EXPECT_EQ(names(SummaryOrder::kAverage), "bac");
  EXPECT_EQ(names(SummaryOrder::kCalls), "abc");
  EXPECT_EQ(names(SummaryOrder::kAverage), "bac");
  EXPECT_EQ(names(SummaryOrder::kTotal), "abc");
}

}  // namespace
}  // namespace rtl::analysis
