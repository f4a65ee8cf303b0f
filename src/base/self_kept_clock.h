// SPDX-License-Identifier: MIT
// self_kept_clock.h: a FastClock that its readers keep on the real clock if no thread calls Update
// regularly. Also the one clock of this process.
//
//   the line is                      a reader
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

  // FastClock::Update, for a thread that runs regularly. Does nothing if another thread is
  // updating.
  void Update();
  // The line alone, for readers that need not keep it on the real clock.
  const FastClock& line() const { return clock_; }

  // HOT.
  uint64_t NowNs() {
    uint64_t ns;
    if (clock_.TryNowNs(kFreshTicks, &ns)) [[likely]]
      return ns;
    return NowSlow();
  }

 private:
  static constexpr uint64_t kFreshTicks = uint64_t{1} << 26;  // about 20 ms
  static constexpr uint64_t kTryTicks = uint64_t{1} << 21;    // about half a millisecond

  uint64_t NowSlow();

  FastClock clock_;
  alignas(64) std::atomic<uint64_t> tried_at_{0};  // in ticks
  std::atomic<bool> busy_{false};                  // (A) acquired to take, released to leave
};

// The clock of all calls and packets, of the trace and of tools. Within the accuracy of the clock,
// a later event never has an earlier time.
inline constinit SelfKeptClock process_clock;

}  // namespace rtl
