// SPDX-License-Identifier: MIT
#include "analysis/orders.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace rtl::analysis {

void Sort(SummaryOrder order, std::vector<EventSummary>* events) {
  const auto key = [order](const EventSummary& event) {
    if (order == SummaryOrder::kTotal) return event.total;
    return order == SummaryOrder::kCalls ? event.events : event.average();
  };
  std::stable_sort(events->begin(), events->end(),
                   [&](const EventSummary& a, const EventSummary& b) {
                     return std::pair(a.kind->kind, key(b)) < std::pair(b.kind->kind, key(a));
                   });
}

void Sort(SummaryOrder order, std::vector<CounterSummary>* counters) {
  std::map<std::string, uint64_t> launches;  // of each kernel
  for (const CounterSummary& each : *counters) {
    uint64_t& most = launches[each.kernel];
    most = std::max(most, each.launches);
  }
  const auto key = [&](const CounterSummary& each) {
    const uint64_t count = launches[each.kernel];
    if (order == SummaryOrder::kTotal) return each.time;
    return order == SummaryOrder::kCalls || count == 0 ? count : each.time / count;
  };
  std::stable_sort(counters->begin(), counters->end(),
                   [&](const CounterSummary& a, const CounterSummary& b) {
                     return std::pair(key(b), a.kernel) < std::pair(key(a), b.kernel);
                   });
}

}  // namespace rtl::analysis
