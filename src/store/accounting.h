// SPDX-License-Identifier: MIT
// accounting.h: closes the books of one process: seen == recorded + sum of losses, per kind of
// event, whatever way the process ended.
#pragma once

#include <string>
#include <vector>

#include "spool/format.h"
#include "store/collector.h"

namespace rtl::store {

// How the spool of a process came to its end.
enum class ProcessEnd : uint8_t { kFinished, kKilled, kReplaced, kAbandoned };

// What the reader could not turn into rows.
struct Unreadable {
  uint64_t torn = 0;      // places in the spool
  uint64_t rejected = 0;  // records with impossible times
};

// Reads the process's own counters into `kinds`, whose `recorded` is the number of rows written,
// and gives what is missing a name. Contradictions are settled in favour of the rows and reported.
void CloseBooks(const spool::ControlPage& page, uint32_t pid, ProcessEnd end,
                const Unreadable& unreadable, KindTotals kinds[kEventKindCount],
                std::vector<std::string>* warnings);

}  // namespace rtl::store
