// SPDX-License-Identifier: MIT
// projection.h: assigns kernels and copies to the roctx ranges of their submission, to the HIP
// streams that ran them, and to nodes of HIP graphs.
//
// Threads    as the given reader
// Memory     a row per name of a range, stream and node; the ranges open at one time
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

// Ranges of one name with their work: the work that their own thread submitted while they were
// open; for start/stop ranges, every thread of the process. Nested work counts for every range
// around it.
struct RangeWork {
  std::string name;
  uint64_t ranges = 0;
  uint64_t kernels = 0;
  uint64_t copies = 0;
  uint64_t kernel_time = 0;  // ns, added up: concurrent work counts twice
  uint64_t copy_time = 0;
  // On the GPU, each range extends from the first start to the last end of its work. Nanoseconds.
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
  std::string name;     // the stream's given name; empty: none
  uint64_t kernels = 0;
  uint64_t copies = 0;
  uint64_t kernel_time = 0;  // ns
  uint64_t copy_time = 0;
  uint64_t first = 0;  // start
  uint64_t last = 0;   // end
};

struct GraphNode {
  uint64_t graph = 0;  // 1, 2, … in the order of their first launches
  uint32_t node = 0;   // its number in the graph, in the order of a launch with all nodes
  std::string kernel;
  uint64_t launches = 0;
  uint64_t total = 0;  // ns
  uint64_t min = 0;
  uint64_t max = 0;
  uint64_t wait = 0;  // ns, added up: since all earlier nodes of the launch had ended

  uint64_t average() const { return launches == 0 ? 0 : total / launches; }
};

struct Projection {
  std::vector<RangeWork> ranges;    // longest on the GPU in total first
  std::vector<StreamWork> streams;  // by process, GPU and number; empty: no stream is known
  std::vector<GraphNode> nodes;     // longest in total first
  uint64_t unsubmitted = 0;         // kernels and copies without a time of submission: in no range
};

// Empty where the trace has neither ranges nor HIP calls.
Status ProjectWork(query::TraceReader& trace, Projection* out);

}  // namespace rtl::analysis
