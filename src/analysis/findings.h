// SPDX-License-Identifier: MIT
// findings.h: the findings of rtl analyze other than the causes of idle time, each with its cost. A
// cost below the share kLeastCost of the time in which it arose is no finding.
//
// Threads    any
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/idle_time.h"
#include "analysis/rank_tail.h"

namespace rtl::analysis {

inline constexpr double kLeastCost = 0.05;

enum class FindingKind : uint8_t {
  kLaunchBound,   // kernels that take longer to launch than to run
  kSerialCopies,  // copies that ran alone although a kernel could have run beside them
  kRankTail,      // one rank is slower than the others
};

struct Finding {
  FindingKind kind = FindingKind::kLaunchBound;
  int32_t gpu = -1;        // -1: the finding is about a rank
  int32_t rank = -1;       // -1: the finding is about a GPU
  std::string where = {};  // the kernel, or the range
  std::string job = {};    // job of the rank
  uint64_t ranks = 0;      // ranks in the job
  uint64_t count = 0;   // kernels that waited, copies, or steps in which the rank was the slowest
  uint64_t all = 0;     // all kernels of that name, or all steps
  uint64_t cost = 0;    // ns
  uint64_t during = 0;  // ns: elapsed time of the GPU, or of the steps of the slowest ranks
};

// "launch-bound kernel", "serial copies", "rank tail"
const char* FindingName(FindingKind kind);
// "launch-bound kernel step, 99 of 100 launches"; `where` is its name in printable form.
std::string FindingText(const Finding& finding, const std::string& where);
// Advice in one sentence.
const char* FindingAdvice(FindingKind kind);

// Findings about GPUs come first, in the order of GPUs, then those about ranks. Within each, the
// most costly come first.
std::vector<Finding> Findings(const std::vector<GpuTime>& gpus, const std::vector<RankTail>& tails);

}  // namespace rtl::analysis
