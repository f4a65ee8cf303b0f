// SPDX-License-Identifier: MIT
// projection.h: assigns kernels and copies to the roctx ranges of their submission, to the HIP
// streams that ran them, and to nodes of HIP graphs.
//
// Threads    as the given reader
// Memory     a row per name of a range, per stream and per node, and the ranges open at one time
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/quantile.h"
#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

// The ranges of one name, with the kernels and copies that the thread of the range submitted while
// it was open. A start/stop range has the work of every thread of its process. Work in nested
// ranges counts for each of them.
//
// Durations: on the GPU, a range extends from the first start to the last end of its work.
struct RangeWork : Durations {
  std::string name;
  uint64_t ranges = 0;
  uint64_t kernels = 0;
  uint64_t copies = 0;
  uint64_t kernel_time = 0;  // ns, sum of durations: concurrent work counts twice
  uint64_t copy_time = 0;

  uint64_t average() const { return ranges == 0 ? 0 : total / ranges; }
};

struct StreamWork {
  uint32_t pid = 0;
  int32_t gpu = -1;
  int64_t stream = -1;  // number of the stream in its process; -1: not known
  std::string name;     // name that the program gave the stream; empty: none
  uint64_t kernels = 0;
  uint64_t copies = 0;
  uint64_t kernel_time = 0;  // ns
  uint64_t copy_time = 0;
  uint64_t first = 0;  // start of the first kernel or copy
  uint64_t last = 0;   // end of the last kernel or copy
};

struct GraphNode {
  uint64_t graph = 0;  // 1, 2, … in the order of the first launches of the graphs
  // Number of the node in the graph, in the order of a launch that has all nodes.
  uint32_t node = 0;
  std::string kernel;
  uint64_t launches = 0;
  uint64_t total = 0;  // ns
  uint64_t min = 0;
  uint64_t max = 0;
  uint64_t wait = 0;  // ns, sum over launches: since all earlier nodes of the launch had ended

  uint64_t average() const { return launches == 0 ? 0 : total / launches; }
};

struct Projection {
  std::vector<RangeWork> ranges;    // the longest total on the GPU comes first
  std::vector<StreamWork> streams;  // by process, GPU and number; empty: the trace has no streams
  std::vector<GraphNode> nodes;     // the longest total comes first
  // Kernels and copies without a time of submission, which belong to no range.
  uint64_t unsubmitted = 0;
};

// Empty where the trace has neither ranges nor HIP calls.
Status ProjectWork(query::TraceReader& trace, Projection* out);

}  // namespace rtl::analysis
