// SPDX-License-Identifier: MIT
// round_schedule.h: decides when the collecting thread reads. While all processors are busy, it
// leaves them to the program, unless the last round is long ago or another program asks something.
//
// Threads    ProcessorToSpare: any; RoundSchedule: the collecting one
// Errors     if the system gives no answer, a processor counts as idle
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace rtl::store {

// True if the machine has an idle processor at this moment. The calling thread does not count as
// busy.
bool ProcessorToSpare();

// `loadavg`: the text of /proc/loadavg, such as "0.11 0.20 0.15 2/345 6789" (two threads run or
// want to run, one of them the reader of the file). `processors`: their number.
bool ProcessorToSpare(std::string_view loadavg, int processors);

class RoundSchedule {
 public:
  // `to_spare`: for tests; null: ProcessorToSpare. `most_ns`: the longest time between two rounds.
  RoundSchedule(bool (*to_spare)(), uint64_t most_ns) : to_spare_(to_spare), most_ns_(most_ns) {}

  void BeginRound() { began_ = BootTimeNs(); }
  // True if a processor is idle, or if the last round began `most_ns` ago.
  bool IsDue();
  // True if another program asks something in this spool (asks.h). Looks 20 times a second at most.
  bool LookForAsks(const std::string& spool);
  // True if this or an earlier look has found something since the last call.
  bool TakeAsked(const std::string& spool);

 private:
  // How many checks in a row must find an idle processor: a thread of a busy program may wait only
  // for a moment.
  static constexpr int kSpareLooks = 3;

  bool (*const to_spare_)();
  const uint64_t most_ns_;
  int spare_looks_ = kSpareLooks;
  uint64_t began_ = BootTimeNs();
  uint64_t next_look_ = 0;  // BOOTTIME ns of the next look for asks
  bool asked_ = false;
};

}  // namespace rtl::store
