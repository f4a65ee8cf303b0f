// SPDX-License-Identifier: MIT
// rank_tail.h: finds the rank of a job that is slower than the others, and what it costs. A step is
// the n-th range of a name in every rank. The cost of a step is the difference between the
// durations of the slowest rank and of the median rank (for an even number of ranks, the lower
// one). Only durations are compared, so the clocks of several hosts need not agree.
//
// Threads    as the given reader
// Memory     the steps that not all ranks have reached, at most kMostOpenSteps
// Errors     those of the reader
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

inline constexpr size_t kMostOpenSteps = 1 << 20;

// The result for the ranges of one name, in one job.
struct RankTail {
  std::string job = {};
  std::string range = {};
  int32_t rank = 0;         // the rank whose lateness costs most
  uint64_t ranks = 0;       // number of ranks with all of these steps
  uint64_t steps = 0;       // steps that all these ranks have
  uint64_t late_steps = 0;  // steps in which this rank was the slowest
  uint64_t cost = 0;        // ns, sum over these steps: the slowest rank less the median rank
  uint64_t median = 0;      // ns, sum over these steps: the median rank
};

// The greatest cost comes first. Empty if the trace has fewer than two ranks.
Status FindRankTails(query::TraceReader& trace, std::vector<RankTail>* out);

}  // namespace rtl::analysis
