// SPDX-License-Identifier: MIT
// launches.h: the phases between a launch and the end of its kernel.
//
//   call begins ── launch ──▶ packet submitted ── queue ──▶ kernel starts ── run ──▶ ends
//               └──────────────── start ────────────────┘
//
// docs/adr/0027-launch-times.md says which of these phases may be compared with each other.
//
// Threads    as the given reader
// Memory     four sketches per kernel name
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/summary.h"
#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

// Nanoseconds, within 0.4 %.
struct LaunchPhase {
  uint64_t median = 0;
  uint64_t p99 = 0;
};

struct LaunchSummary {
  std::string name;  // name of the kernels
  uint64_t kernels = 0;
  // Kernels without a time of submission (mode clr): only in `start` and `run`.
  uint64_t unsubmitted = 0;
  uint64_t impossible = 0;  // kernels submitted before their call began: in no phase
  // Kernels that started before they were submitted (without a time of submission: before their
  // call began), because the clocks differ slightly. Their wait counts as zero.
  uint64_t early = 0;
  LaunchPhase launch = {};  // call began -> submitted
  LaunchPhase queue = {};   // submitted -> started
  LaunchPhase start = {};   // call began -> started
  LaunchPhase run = {};     // started -> ended
  uint64_t total = 0;       // ns, sum of all runs

  uint64_t average() const { return kernels > impossible ? total / (kernels - impossible) : 0; }

  bool has_submissions() const { return kernels > unsubmitted + impossible; }
};

// The longest total run comes first.
Status SummarizeLaunches(query::TraceReader& trace, std::vector<LaunchSummary>* out);
void Sort(SummaryOrder order, std::vector<LaunchSummary>* launches);  // equal rows keep their order

}  // namespace rtl::analysis
