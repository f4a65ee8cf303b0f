// SPDX-License-Identifier: MIT
// counter_steps.h: computes the counters over time that rocprofv3 draws: bytes of copies under way,
// allocated memory, scratch memory, and hardware counters of kernels. A step says from which time
// on a counter has a value.
//
// Threads    one
// Memory     copies under way, live allocations, and queues with scratch memory; for hardware
//            counters two steps for each value
// Errors     those of the trace and of the visitor
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

struct CounterStep {
  int64_t process = 0;  // query::Process::id
  uint32_t pid = 0;
  int32_t gpu = -1;       // ordinal; -1: the host
  std::string name = {};  // for example "COPY BYTES to Agent [1] (GPU)"
  const char* unit = "";
  uint64_t time = 0;
  double value = 0;
};
// For each process, GPU and name, the steps come in the order of time.
using CounterVisitor = std::function<Status(const CounterStep&)>;

Status VisitCopiedBytes(query::TraceReader& trace, const CounterVisitor& visit);
Status VisitAllocatedBytes(query::TraceReader& trace, const CounterVisitor& visit);
Status VisitScratchBytes(query::TraceReader& trace, const CounterVisitor& visit);
Status VisitHardwareCounters(query::TraceReader& trace, const CounterVisitor& visit);

}  // namespace rtl::exporting
