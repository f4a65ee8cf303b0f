// SPDX-License-Identifier: MIT
// self_kept_clock.h: a FastClock whose readers keep it on the real clock while no thread calls
// Update regularly, and the one clock of this process.
//
//   line is                          a reader
//   fresh                            answers from it
//   older than kFreshTicks           takes a sample, unless another thread does or just did;
//   missing                          answers from the system's clock
//
// Threads    any
// Blocking   never; the thread that takes the sample reads the system's clock three times
// Accuracy   as FastClock. After a rest longer than FastClock::kHorizonNs the line restarts on the
//            real clock and never steps back
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/fast_clock.h"

namespace rtl {

class SelfKeptClock {
 public:
  constexpr SelfKeptClock() = default;
  SelfKeptClock(const SelfKeptClock&) = delete;
  SelfKeptClock& operator=(const SelfKeptClock&) = delete;

  // For a thread that comes by regularly: FastClock::Update, unless another thread is at it.
  void Update();
  // The line alone, for readers that need not keep it.
  const FastClock& line() const { return clock_; }

  // HOT.
  uint64_t NowNs() {
    uint64_t ns;
    if (clock_.TryNowNs(kFreshTicks, &ns)) [[likely]]
      return ns;
    return NowSlow();
  }

 private:
  static constexpr uint64_t kFreshTicks = uint64_t{1} << 26;  // some 20 ms
  static constexpr uint64_t kTryTicks = uint64_t{1} << 21;    // half a millisecond

  uint64_t NowSlow();

  FastClock clock_;
  alignas(64) std::atomic<uint64_t> tried_at_{0};  // ticks
  std::atomic<bool> busy_{false};                  // (A) acquire to take, release to leave
};

// All times of calls and packets, of the trace and of tools: a later event has no earlier time,
// within the accuracy of the clock.
inline constinit SelfKeptClock process_clock;

}  // namespace rtl
