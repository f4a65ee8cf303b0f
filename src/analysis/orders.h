// SPDX-License-Identifier: MIT
// orders.h: sorts the tables of span kinds and of hardware counters as requested; the other tables
// have their own functions (summary.h, launches.h).
//
// Threads    any
#pragma once

#include <vector>

#include "analysis/counters.h"
#include "analysis/summary.h"

namespace rtl::analysis {

// Within each kind; equal rows keep their order.
void Sort(SummaryOrder order, std::vector<EventSummary>* events);
// The kernels by their time, their launches, or both; the counters of each stay together.
void Sort(SummaryOrder order, std::vector<CounterSummary>* counters);

}  // namespace rtl::analysis
