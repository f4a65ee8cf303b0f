// SPDX-License-Identifier: MIT
// gpu_names.h: names the GPUs of a trace for users: the kind, and where the GPU is, if the trace
// has several hosts or ranks, or if its numbers differ from those of the processes.
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
  std::string name;  // for example "gfx906"
  // for example "03:00.0, node1, rank 5"; empty: there is nothing to distinguish
  std::string place;
  // For example "gfx906, 03:00.0, node1, rank 5"; empty: nothing is known.
  std::string Text() const { return name + (name.empty() || place.empty() ? "" : ", ") + place; }
};
Status NameGpus(TraceReader& trace, std::map<int32_t, GpuName>* out);

// For example "03:00.0".
std::string BusText(uint32_t bdf);

// For each process and each number in the trace: the GPU's number among those that the process
// sees.
Status OwnGpuNumbers(TraceReader& trace, std::map<std::pair<int64_t, int32_t>, uint32_t>* out);

}  // namespace rtl::query
