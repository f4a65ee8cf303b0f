// SPDX-License-Identifier: MIT
// places.h: where kernels were launched: the operators around the call, the inputs of the innermost
// one, and the position among the kernels of its call of the operator (fills, copies and
// communication apart). Traces of different GPUs or tools have other kernels at the same places.
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
  struct Kernel {
    uint64_t total = 0;
    QuantileSketch sketch = {};
  };
  std::string operation;                  // the innermost operator
  std::map<std::string, Kernel> kernels;  // by name
};
using Places = std::map<std::string, KernelsOfPlace>;

// No places where the trace knows no operators.
Status ReadPlaces(query::TraceReader& trace, Places* out);

// Kernels that only one side has are paired where both sides have one at the same place: their times
// there move to the name "before -> after" of both sides. Of several names at a place the one that
// runs most often is taken. Returns the operators of each new name.
std::map<std::string, std::string> PairByPlace(const std::vector<Places>& before,
                                               const std::vector<Places>& after,
                                               std::vector<Timings>* before_timings,
                                               std::vector<Timings>* after_timings);

}  // namespace rtl::analysis
