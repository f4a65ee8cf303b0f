// SPDX-License-Identifier: MIT
// projection.h: what kernels and copies belong to: the roctx ranges in which they were submitted, the HIP
// stream that they ran on, the node of a HIP graph that they are.
//
// Threads    as the reader that is passed
// Memory     a row per name of a range, stream and node; the ranges open at one time
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "query/trace_reader.h"

namespace rtl::analysis {

// Ranges of one name, as far as they submitted something: their own thread while they were open, of
// start/stop ranges every thread of the process. What is nested counts for every range around it.
struct RangeWork {
  std::string name;
  uint64_t ranges = 0;
  uint64_t kernels = 0;
  uint64_t copies = 0;
  uint64_t kernel_time = 0;  // ns, added up: what ran at once counts twice
  uint64_t copy_time = 0;
  // On the GPU, each range is from the first start to the last end of its work. Nanoseconds.
  uint64_t total = 0;
  uint64_t min = 0;
  uint64_t max = 0;
  uint64_t median = 0;  // within 0.4 %

  uint64_t average() const { return ranges == 0 ? 0 : total / ranges; }
};

struct StreamWork {
  uint32_t pid = 0;
  int32_t gpu = -1;
  int64_t stream = -1;  // its number in the process; -1: none is known
  std::string name;     // that somebody gave the stream; empty: nobody
  uint64_t kernels = 0;
  uint64_t copies = 0;
  uint64_t kernel_time = 0;  // ns
  uint64_t copy_time = 0;
  uint64_t first = 0;  // start
  uint64_t last = 0;   // end
};

struct GraphNode {
  uint64_t graph = 0;  // 1, 2, … in the order of their first launches
  uint32_t node = 0;   // its place among the kernels of a launch
  std::string kernel;
  uint64_t launches = 0;
  uint64_t total = 0;  // ns
  uint64_t min = 0;
  uint64_t max = 0;
  uint64_t wait = 0;  // ns, added up: since all nodes before it in the launch had ended

  uint64_t average() const { return launches == 0 ? 0 : total / launches; }
};

struct Projection {
  std::vector<RangeWork> ranges;    // longest on the GPU in total first
  std::vector<StreamWork> streams;  // by process, GPU and number; empty: no stream is known
  std::vector<GraphNode> nodes;     // longest in total first
  uint64_t unsubmitted =
      0;  // kernels and copies of which nobody knows when they were submitted: in no range
};

// Empty where the trace has neither ranges nor HIP calls.
Status ProjectWork(query::TraceReader& trace, Projection* out);

}  // namespace rtl::analysis
