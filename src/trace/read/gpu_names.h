// SPDX-License-Identifier: MIT
// gpu_names.h: the GPUs of a trace, for people: the kind, and where a GPU is when the trace has
// several hosts or ranks, or numbers that differ from the processes' own.
//
// Errors     as TraceReader
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::query {

struct GpuName {
  std::string name;   // "gfx906"
  std::string place;  // "03:00.0, node1, rank 5"; empty: there is nothing to tell apart
  // "gfx906, 03:00.0, node1, rank 5"; empty: nothing is known.
  std::string Text() const { return name + (name.empty() || place.empty() ? "" : ", ") + place; }
};
Status NameGpus(TraceReader& trace, std::map<int32_t, GpuName>* out);

// "03:00.0".
std::string BusText(uint32_t bdf);

// The number of a GPU among those that the process sees, by process and number in the trace.
Status OwnGpuNumbers(TraceReader& trace, std::map<std::pair<int64_t, int32_t>, uint32_t>* out);

}  // namespace rtl::query
