// SPDX-License-Identifier: MIT
// counters.h: hardware counters, by kernel name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/summary.h"
#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

struct CounterSummary {
  std::string kernel;
  std::string counter;
  uint64_t time = 0;      // ns, of all launches of the kernel
  uint64_t launches = 0;  // launches with a value
  // Launches with a value, on a virtual GPU that does not count this event.
  uint64_t not_modelled = 0;
  double total = 0, min = 0, max = 0;

  bool known() const { return launches > not_modelled; }
  double average() const {
    return known() ? total / static_cast<double>(launches - not_modelled) : 0;
  }
};

// By kernel, the longest total first, then by counter. Only kernels that the reader selects.
Status SummarizeCounters(query::TraceReader& trace, std::vector<CounterSummary>* out);

// Sorts kernels by their time, their launches, or both; the counters of each stay together.
void Sort(SummaryOrder order, std::vector<CounterSummary>* counters);

// The shortest exact text: "12", "3.5".
std::string CounterText(double value);

}  // namespace rtl::analysis
