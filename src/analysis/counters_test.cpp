// SPDX-License-Identifier: MIT
#include "analysis/counters.h"

#include <gtest/gtest.h>

#include "trace/read/query_test_support.h"

namespace rtl::analysis {
namespace {

using query::ExpectOk;
using query::TestTrace;

TEST(CountersOfKernels, AreSummedByKernelAndCounter) {
  test::TempDir directory;
  const std::string path = directory.File("trace.db");
  TestTrace trace(path);
  trace.Queue(0);
  trace.Kernel("short");
  trace.Add({.tid = 1, .submit = 10, .start = 20, .end = 30});
  trace.Kernel("long");
  for (uint64_t i = 1; i <= 2; ++i)
    trace.Add(
        {.kernel = 2, .tid = 1, .submit = 100 * i, .start = 100 * i + 10, .end = 100 * i + 90});
  trace.Counter(1, "WAVES", 4);
  trace.Counter(2, "RATIO", 2.5, kCounterFlagReal);
  trace.Counter(3, "RATIO", 0.5, kCounterFlagReal);
  trace.Counter(2, "WAVES", 6);
  trace.Counter(2, "WAVES", 1);  // of another instance
  trace.Counter(3, "WAVES", 3);
  trace.Counter(3, "LDS", 0, kCounterFlagNotModelled);
  trace.Finish();
  std::vector<CounterSummary> counters;
  ExpectOk(SummarizeCounters(*query::OpenTrace(path), &counters));
  ASSERT_EQ(counters.size(), 4u);
  EXPECT_EQ(counters[0].kernel, "long");
  EXPECT_EQ(counters[0].counter, "LDS");
  EXPECT_FALSE(counters[0].known());
  EXPECT_EQ(counters[1].counter, "RATIO");
  EXPECT_EQ(counters[1].average(), 1.5);
  EXPECT_EQ(counters[2].counter, "WAVES");
  EXPECT_EQ(counters[2].launches, 2u);
  EXPECT_EQ(counters[2].min, 3);
  EXPECT_EQ(counters[2].max, 7);
  EXPECT_EQ(counters[2].total, 10);
  EXPECT_EQ(counters[3].kernel, "short");
}

TEST(CounterTextTest, HasAsManyDigitsAsItTakes) {
  EXPECT_EQ(CounterText(12), "12");
  EXPECT_EQ(CounterText(3.5), "3.5");
  EXPECT_EQ(CounterText(123456789), "123456789");
}

TEST(SortCounters, KeepsTheCountersOfAKernelTogether) {
  std::vector<CounterSummary> counters(3);
  counters[0] = {.kernel = "once", .counter = "a", .time = 60, .launches = 1};
  counters[1] = {.kernel = "often", .counter = "a", .time = 70, .launches = 9};
  counters[2] = {.kernel = "once", .counter = "b", .time = 60, .launches = 1};
  const auto names = [&](SummaryOrder order) {
    Sort(order, &counters);
    return counters[0].kernel + counters[1].kernel + counters[2].kernel + counters[2].counter;
  };
  EXPECT_EQ(names(SummaryOrder::kTotal), "oftenonceonceb");
  EXPECT_EQ(names(SummaryOrder::kAverage), "onceonceoftena");
  EXPECT_EQ(names(SummaryOrder::kCalls), "oftenonceonceb");
}

}  // namespace
}  // namespace rtl::analysis
