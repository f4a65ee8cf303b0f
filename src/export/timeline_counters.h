// SPDX-License-Identifier: MIT
// timeline_counters.h: emits the counters of a timeline: the load of each GPU, and the counters of
// counter_steps.h.
//
// Threads    one
// Memory     as in gpu_load.h, per process and GPU
// Errors     those of the trace and of the sink
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "base/status.h"
#include "export/gpu_load.h"
#include "export/timeline.h"
#include "export/tracks.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

class BusyCounters {
 public:
  GpuLoad* Of(int64_t process, int32_t gpu, uint32_t pid) { return &loads_[{process, gpu, pid}]; }
  // To be called once, when all rows are counted.
  Status Emit(Tracks* tracks, TimelineSink* sink);

 private:
  std::map<std::tuple<int64_t, int32_t, uint32_t>, GpuLoad> loads_;
};

Status EmitStepCounters(query::TraceReader& trace, Tracks* tracks, TimelineSink* sink);

}  // namespace rtl::exporting
