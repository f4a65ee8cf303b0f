// SPDX-License-Identifier: MIT
// flame.h: the flame graph of a page: GPU time by Python stack, module, operator and kernel, as a
// tree in the order of its depth-first walk. A node that is larger comes before its siblings.
//
// Threads    one
// Memory     that of export/gpu_stacks.h; of the nodes at most kMostNodes are kept, the largest ones
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "export/gpu_stacks.h"
#include "trace/read/trace_reader.h"

namespace rtl::report {

struct Flame {
  static constexpr size_t kMostNodes = 20'000;
  static constexpr size_t kMostDepth = 255;  // deeper frames are left out

  struct Node {
    uint32_t depth = 0;
    uint32_t frame = 0;    // an index of `frames`
    uint64_t time = 0;     // ns, with all that it contains
    uint64_t kernels = 0;  // the same
  };

  std::vector<exporting::GpuStacks::Frame> frames;
  std::vector<Node> nodes;
  uint64_t time = 0;  // of all kernels
  uint64_t kernels = 0;
  uint64_t least = 0;  // ns; nodes of less are left out; 0: none
};

// No nodes where no kernel lies on an operator, a Python function or a range.
Status ReadFlame(query::TraceReader& trace, Flame* out);
void MakeFlame(const exporting::GpuStacks& stacks, Flame* out);

}  // namespace rtl::report
