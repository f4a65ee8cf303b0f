// SPDX-License-Identifier: MIT
// clock_reading.h: the clocks of this host, read together: what aligning the times of two hosts needs.
//
// Threads    any
// Blocking   never
#pragma once

#include <stdint.h>

#include "trace/schema/tables.h"

namespace rtl::store {

// A clock minus CLOCK_BOOTTIME. The true difference is within half of `width`.
struct ClockOffset {
  int64_t offset = 0;  // ns
  int64_t width = 0;   // ns: how long the reading took
};

struct ClockReading {
  uint64_t time = 0;  // BOOTTIME ns
  ClockOffset realtime, raw;
  bool has_discipline = false;  // the fields below are known
  bool synchronized = false;    // adjtimex: the clock follows a reference
  int64_t status = 0;
  int64_t frequency = 0;                       // 2^-16 ppm
  int64_t max_error = 0, estimated_error = 0;  // us
  int64_t tai = 0;                             // s
};

// A host's clocks are read anew after this time.
constexpr uint64_t kClockPeriodNs = 60'000'000'000;

ClockReading ReadClocks();
// The same as a row of a trace, without its process.
ClockTable ReadClockRow();

}  // namespace rtl::store
