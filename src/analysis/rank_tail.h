// SPDX-License-Identifier: MIT
// rank_tail.h: the rank of a job that is slower than the others, and its cost. A step is the n-th
// range of a name in every rank. It costs the difference between the slowest rank and the median
// one (of an even number, the lower). Only durations are compared, so clocks of several hosts need
// not agree.
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

// Of one name of ranges, in one job.
struct RankTail {
  std::string job = {};
  std::string range = {};
  int32_t rank = 0;         // the rank whose lateness costs most
  uint64_t ranks = 0;       // number of ranks with all of these steps
  uint64_t steps = 0;       // of all of these ranks
  uint64_t late_steps = 0;  // steps in which this rank was the slowest
  uint64_t cost = 0;        // ns, of these steps: the slowest less the median
  uint64_t median = 0;      // ns, of these steps: the median rank's time
};

// Most cost first. None where fewer than two ranks are in the trace.
Status FindRankTails(query::TraceReader& trace, std::vector<RankTail>* out);

}  // namespace rtl::analysis
