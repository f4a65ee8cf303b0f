// SPDX-License-Identifier: MIT
// clock_reading.h: reads the clocks of this host together, which is needed to align the times of
// two hosts.
//
// Threads    any
// Blocking   never
#pragma once

#include <stdint.h>

#include <vector>

#include "trace/schema/tables.h"

namespace rtl::store {

// A clock minus CLOCK_BOOTTIME. The true difference is at most half of `width` away.
struct ClockOffset {
  int64_t offset = 0;  // in ns
  int64_t width = 0;   // in ns: how long the reading took
};

struct ClockReading {
  uint64_t time = 0;  // in BOOTTIME ns
  ClockOffset realtime, raw;
  bool has_discipline = false;  // the fields below are known
  bool synchronized = false;    // adjtimex: the clock follows a reference
  int64_t status = 0;
  int64_t frequency = 0;                       // in 2^-16 ppm
  int64_t max_error = 0, estimated_error = 0;  // in us
  int64_t tai = 0;                             // in s
};

// A host's clocks are read again after this time.
constexpr uint64_t kClockPeriodNs = 60'000'000'000;

ClockReading ReadClocks();
// The clocks as a row of a trace, without the row's process.
ClockTable ReadClockRow();

// The readings that one thread makes while it collects.
class ClockHistory {
 public:
  // Reads the clocks if the last reading is older than kClockPeriodNs.
  void ReadIfDue();
  // The readings from the last one before `time` on, and a new one; empty if there was none.
  std::vector<ClockTable> Since(uint64_t time) const;

 private:
  std::vector<ClockTable> readings_;  // in the order of time
};

}  // namespace rtl::store
