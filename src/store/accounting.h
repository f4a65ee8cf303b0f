// SPDX-License-Identifier: MIT
// accounting.h: closes the books of one process: seen == recorded + sum of losses, per kind of
// event, whatever way the process ended.
#pragma once

#include <string>
#include <vector>

#include "spool/format.h"
#include "store/collector.h"

namespace rtl::store {

// How the reading of a spool went.
struct Reading {
  uint64_t torn = 0;                             // places in the spool that could not be read
  uint64_t rejected = 0;                         // records with impossible times
  uint64_t duplicates[kEventKindCount] = {};     // calls with the correlation id of another one
  uint64_t out_of_window[kEventKindCount] = {};  // what gave way to newer events (--ring)
  uint64_t left_out[kEventKindCount] = {};       // what was not asked for (store/choice.h)
  bool fell_behind = false;                      // the collector did not keep up
  double most_backlog = 0;  // the largest part of the spool's limit that lay unread
};

// Of what a process left unaccounted when it came to this end.
Loss CauseOf(ProcessEnd end);

// What is known to escape the interception method `door` of a process's HIP calls; empty: nothing.
std::string UnseenCalls(const std::string& door);

// Whether kernels that have no row, of whatever queue, are lost by this end alone: the process went
// without a word, and nothing else was lost of it.
bool LostByItsEnd(const spool::ControlPage& page, ProcessEnd end, const Reading& reading);

// Reads the process's own counters into `kinds`, whose `recorded` is the number of rows written,
// and gives what is missing a name. Contradictions are settled in favour of the rows and reported.
void CloseBooks(const spool::ControlPage& page, uint32_t pid, ProcessEnd end,
                const Reading& reading, KindTotals kinds[kEventKindCount],
                std::vector<std::string>* warnings);

}  // namespace rtl::store
