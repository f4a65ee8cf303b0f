// SPDX-License-Identifier: MIT
// clock.h: the host clock of the trace: CLOCK_BOOTTIME in nanoseconds. The HSA runtime calls it the
// system clock, so host spans and translated GPU times share one time axis, which includes
// suspended time.
#pragma once

#include <stdint.h>
#include <time.h>

namespace rtl {

// The present time in nanoseconds. Any thread; reads the vDSO without a system call.
inline uint64_t BootTimeNs() {
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

// Nanoseconds since the Unix epoch minus BOOTTIME, both read now.
inline int64_t RealtimeMinusBootTimeNs() {
  timespec real;
  const uint64_t before = BootTimeNs();
  clock_gettime(CLOCK_REALTIME, &real);
  const uint64_t after = BootTimeNs();
  const int64_t wall = static_cast<int64_t>(real.tv_sec) * 1'000'000'000 + real.tv_nsec;
  return wall - static_cast<int64_t>(before + (after - before) / 2);
}

// The time of CLOCK_REALTIME in `ns` from now, for functions that wait until a time of that clock.
inline timespec RealtimeAfter(uint64_t ns) {
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  ns += static_cast<uint64_t>(until.tv_nsec);
  until.tv_sec += static_cast<time_t>(ns / 1'000'000'000u);
  until.tv_nsec = static_cast<long>(ns % 1'000'000'000u);
  return until;
}

// Sleeps at most `ns`. A signal ends the sleep early, so every caller checks its condition again.
inline void Nap(uint64_t ns) {
  const timespec pause = {static_cast<time_t>(ns / 1'000'000'000u),
                          static_cast<long>(ns % 1'000'000'000u)};
  (void)nanosleep(&pause, nullptr);
}

// Waits until `done()` returns true, and looks once a millisecond. False if it has returned false
// `limit_ms` times.
template <typename Done>
bool WaitUntil(uint32_t limit_ms, const Done& done) {
  for (uint32_t ms = 0; ms < limit_ms; ++ms) {
    if (done()) return true;
    Nap(1'000'000);
  }
  return false;
}

}  // namespace rtl
