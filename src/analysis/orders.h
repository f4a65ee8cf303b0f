// SPDX-License-Identifier: MIT
// orders.h: the tables of span kinds and of hardware counters in the order that somebody asked for; the others
// bring their own (summary.h, launches.h).
//
// Threads    any
#pragma once

#include <vector>

#include "analysis/counters.h"
#include "analysis/summary.h"

namespace rtl::analysis {

// Within each kind; equals stay as they are.
void Sort(SummaryOrder order, std::vector<EventSummary>* events);
// The kernels by their time, their launches, or both; the counters of each stay together.
void Sort(SummaryOrder order, std::vector<CounterSummary>* counters);

}  // namespace rtl::analysis
