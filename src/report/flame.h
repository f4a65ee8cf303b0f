// SPDX-License-Identifier: MIT
// flame.h: the flame graph of a page: GPU time by Python stack, module, operator and kernel. The
// nodes of the tree are listed in depth-first order. Among siblings, the one with the most time
// comes first.
//
// Threads    one
// Memory     that of export/gpu_stacks.h, and the kMostNodes nodes with the most time
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
  static constexpr size_t kMostDepth = 255;  // frames deeper than this are left out

  struct Node {
    uint32_t depth = 0;
    uint32_t frame = 0;    // index in `frames`
    uint64_t time = 0;     // ns, including all nodes below
    uint64_t kernels = 0;  // including all nodes below
  };

  std::vector<exporting::GpuStacks::Frame> frames;
  std::vector<Node> nodes;
  uint64_t time = 0;  // ns, of all kernels
  uint64_t kernels = 0;
  uint64_t least = 0;  // ns; nodes with less time are left out; 0: no node is left out
};

// The graph is empty if no kernel has an operator, a Python function or a range on its stack.
Status ReadFlame(query::TraceReader& trace, Flame* out);
void MakeFlame(const exporting::GpuStacks& stacks, Flame* out);

}  // namespace rtl::report
