// SPDX-License-Identifier: MIT
// clr_clock.h: finds out by a test call which clock HIP's profiler reads, and converts its times to
// CLOCK_BOOTTIME. Its headers say CLOCK_REALTIME; its code has used other clocks.
//
//   our clocks   before |        call        | after
//   its record              start ...... end            -> the clock for which this holds
//
// Threads    one at a time
// Errors     no clock matches: nothing can be converted, and the caller names the loss
// Accuracy   the chosen clock against BOOTTIME: linear between two samples, one per chunk. A clock
//            that is set by hand in between bends the line
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

inline constexpr size_t kClrClocks = 4;

// Nanoseconds of BOOTTIME, MONOTONIC, REALTIME and MONOTONIC_RAW, read one after the other.
struct ClrClockSample {
  uint64_t at[kClrClocks] = {};
};
ClrClockSample SampleClrClocks();

class ClrClock {
 public:
  // The clocks around the test call.
  void Begin(const ClrClockSample& before, const ClrClockSample& after);

  // True when the times of this call lie inside on some clock. That clock is chosen.
  bool ChooseByCall(uint64_t start, uint64_t end);
  // Without a record of the test call: chooses the first clock on which these times lie between
  // Begin and `now`.
  bool ChooseByPlausibility(uint64_t start, uint64_t end, const ClrClockSample& now);
  bool chosen() const { return clock_ < kClrClocks; }
  const char* name() const;

  // Times up to `now` can be converted afterwards.
  void Advance(const ClrClockSample& now);
  // The last Advance on the chosen clock; zero: none is chosen.
  uint64_t now() const { return chosen() ? last_.at[clock_] : 0; }
  // False: the time is not between Begin and the last Advance.
  bool ToBootTime(uint64_t time, uint64_t* out) const;

 private:
  static constexpr uint64_t kSlackNs = 1000;

  size_t clock_ = kClrClocks;  // none
  ClrClockSample before_, after_, previous_, last_;
};

}  // namespace rtl::capture
