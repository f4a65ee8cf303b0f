// SPDX-License-Identifier: MIT
// accounting.h: completes the counts of one process, so that for each kind of event seen ==
// recorded + sum of losses, however the process ended.
#pragma once

#include <string>
#include <vector>

#include "spool/format.h"
#include "trace/collect/collector.h"

namespace rtl::store {

// What the collector knows after it has read the spool of a process.
struct Reading {
  uint64_t torn = 0;                             // places in the spool that could not be read
  uint64_t rejected = 0;                         // records with impossible times
  uint64_t duplicates[kEventKindCount] = {};     // calls with the correlation id of an earlier call
  uint64_t out_of_window[kEventKindCount] = {};  // events that were dropped for newer ones (--ring)
  uint64_t left_out[kEventKindCount] = {};  // events that were not selected (trace/write/choice.h)
  bool fell_behind = false;                 // the collector did not keep up
  double most_backlog = 0;                  // the largest unread share of the spool's limit
  int32_t full_because = 0;                 // see spool::FullBecause
  bool lossless = false;                    // records waited for room
};

// The loss that explains missing events of a process with this end.
Loss CauseOf(ProcessEnd end);

// The events that a mode cannot see, in a process that ended in this way.
NotCountedEvents FindNotCounted(const std::string& mode, ProcessEnd end);

// Why a process has no HIP calls, according to its interception method; empty if it may have some.
std::string MissingCalls(const std::string& loaded_by);

// True if this end alone explains the kernels without a row, in all queues: the process was killed,
// and has no other loss.
bool LostByItsEnd(const spool::ControlPage& page, ProcessEnd end, const Reading& reading);

// Reads the process's own counters into `kinds`, whose `recorded` is the number of rows written,
// and assigns a loss to every missing event. If the counters contradict the rows, the rows are
// right, and the contradiction is reported.
void CompleteCounts(const spool::ControlPage& page, uint32_t pid, ProcessEnd end,
                    const Reading& reading, KindTotals kinds[kEventKindCount],
                    std::vector<std::string>* warnings);

}  // namespace rtl::store
