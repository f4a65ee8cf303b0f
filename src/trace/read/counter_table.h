// SPDX-License-Identifier: MIT
// counter_table.h: finds the hardware counters of each kernel of a trace.
//
// Threads    one
// Memory     a row for each counter of each kernel
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "trace/read/rows.h"
#include "trace/read/trace_reader.h"

namespace rtl::query {

class CounterTable {
 public:
  // `process`: Process::id; 0: all processes.
  Status Load(TraceReader& trace, int64_t process = 0);
  bool empty() const { return sums_.empty(); }
  // The counters of a kernel, ordered by name.
  std::span<const CounterSum> Of(int64_t process, uint64_t dispatch) const;

 private:
  std::vector<CounterSum> sums_;  // ordered by process, dispatch and name
};

}  // namespace rtl::query
