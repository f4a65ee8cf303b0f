// SPDX-License-Identifier: MIT
// clr_clock.h: finds out by a test call which clock HIP's profiler reads, and converts the
// profiler's times to CLOCK_BOOTTIME. HIP's headers name CLOCK_REALTIME, but HIP's code has used
// other clocks.
//
//   our clocks   before |        call        | after
//   its record              start ...... end            -> the clock for which this holds
//
// Threads    one at a time
// Errors     no clock matches: nothing can be converted, and the caller names the loss
// Accuracy   the chosen clock against BOOTTIME: linear between two samples, one sample per chunk.
//            If the clock is set by hand between two samples, times between these samples are wrong
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
  // The samples taken just before and just after the test call.
  void Begin(const ClrClockSample& before, const ClrClockSample& after);

  // Chooses the clock on which the test call lies between the two samples of Begin. False if there
  // is no such clock.
  bool ChooseByCall(uint64_t start, uint64_t end);
  // Used when the test call has no record: chooses the first clock on which `start` and `end` lie
  // between Begin and `now`.
  bool ChooseByPlausibility(uint64_t start, uint64_t end, const ClrClockSample& now);
  bool chosen() const { return clock_ < kClrClocks; }
  const char* name() const;

  // Takes a later sample. Times up to `now` can be converted afterwards.
  void Advance(const ClrClockSample& now);
  // The time of the last Advance on the chosen clock; zero if no clock is chosen.
  uint64_t now() const { return chosen() ? last_.at[clock_] : 0; }
  // False if `time` is not between Begin and the last Advance.
  bool ToBootTime(uint64_t time, uint64_t* out) const;

 private:
  static constexpr uint64_t kSlackNs = 1000;

  size_t clock_ = kClrClocks;  // kClrClocks: no clock is chosen
  ClrClockSample before_, after_, previous_, last_;
};

}  // namespace rtl::capture
