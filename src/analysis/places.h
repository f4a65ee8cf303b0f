// SPDX-License-Identifier: MIT
// places.h: finds the place at which each kernel was launched. A place is the operators around the
// call, the inputs of the innermost one, and the position among the kernels that this operator
// launched (fills, copies and communication are counted apart). Traces of different GPUs or tools
// have different kernels at the same places.
//
// Threads    as the given reader
// Memory     an entry per place and name of a kernel there
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/compare.h"
#include "analysis/quantile.h"
#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

struct KernelsOfPlace {
  std::string operation;                          // the innermost operator
  std::map<std::string, QuantileSketch> kernels;  // durations by name
};
using Places = std::map<std::string, KernelsOfPlace>;

// Empty if the trace has no operators.
Status ReadPlaces(query::TraceReader& trace, Places* out);

// Pairs kernels that only one side has, if both sides have one at the same place. The time of such
// a kernel at the place moves to the name "before -> after", on both sides. If several kernels
// qualify at a place, the one that runs most often is paired. Returns the operators for each new
// name.
std::map<std::string, std::string> PairByPlace(const std::vector<Places>& before,
                                               const std::vector<Places>& after,
                                               std::vector<Timings>* before_timings,
                                               std::vector<Timings>* after_timings);

}  // namespace rtl::analysis
