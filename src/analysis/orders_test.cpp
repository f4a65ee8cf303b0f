// SPDX-License-Identifier: MIT
#include "analysis/orders.h"

#include <gtest/gtest.h>

namespace rtl::analysis {
namespace {

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
