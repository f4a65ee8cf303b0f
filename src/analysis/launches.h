// SPDX-License-Identifier: MIT
// launches.h: the phases between a launch and the end of its kernel.
//
//   call begins ── launch ──▶ packet submitted ── queue ──▶ kernel starts ── run ──▶ ends
//               └──────────────── start ────────────────┘
//
// docs/adr/0027-launch-times.md says which phases may be compared.
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
  std::string name;  // of the kernel
  uint64_t kernels = 0;
  uint64_t unsubmitted = 0;  // without a time of submission (mode clr): only in `start` and `run`
  uint64_t impossible = 0;   // submitted before its call began: not in the figures
  // Started before it was submitted (or, without a submission, before its call began), because
  // clocks differ slightly: counted as no wait.
  uint64_t early = 0;
  LaunchPhase launch = {};  // call began -> submitted
  LaunchPhase queue = {};   // submitted -> started
  LaunchPhase start = {};   // call began -> started
  LaunchPhase run = {};     // started -> ended
  uint64_t total = 0;       // of all runs

  uint64_t average() const { return kernels > impossible ? total / (kernels - impossible) : 0; }

  bool has_submissions() const { return kernels > unsubmitted + impossible; }
};

// Longest run in total first.
Status SummarizeLaunches(query::TraceReader& trace, std::vector<LaunchSummary>* out);
void Sort(SummaryOrder order, std::vector<LaunchSummary>* launches);  // equals stay as they are

}  // namespace rtl::analysis
