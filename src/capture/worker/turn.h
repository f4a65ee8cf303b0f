// SPDX-License-Identifier: MIT
// turn.h: a lock with a time limit. The thread that has its turn makes records of ended kernels:
// the worker, or a thread of the application that has just learned of an end. The limit ensures
// that no thread waits without a bound for a stalled thread.
//
// Threads    any
// Blocking   Take: until the holder calls Give, or the limit is reached. After a Take that timed
//            out, further callers do not wait at all until the holder has called Give
// Memory     none
#pragma once

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "base/clock.h"
#include "base/mutex.h"

namespace rtl::capture {

class RTL_THREAD_SAFETY(capability("turn")) Turn {
 public:
  Turn() = default;
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  bool TryTake() RTL_THREAD_SAFETY(try_acquire_capability(true)) {
    uint32_t expected = kFree;
    return word_.compare_exchange_strong(expected, kTaken, std::memory_order_acquire,
                                         std::memory_order_relaxed);
  }
  // Takes the turn. False if the limit was reached.
  bool Take(uint64_t limit_ns) RTL_THREAD_SAFETY(try_acquire_capability(true)) {
    for (int spin = 0; spin < kSpins; ++spin) {
      if (TryTake()) return true;
      __builtin_ia32_pause();
    }
    return TakeSlowly(limit_ns);
  }
  void Give() RTL_THREAD_SAFETY(release_capability()) {
    given_.store(given_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (word_.exchange(kFree, std::memory_order_release) == kWaitedFor) {
      (void)syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    }
  }

 private:
  static constexpr uint32_t kFree = 0, kTaken = 1, kWaitedFor = 2;
  static constexpr int kSpins = 200;
  static constexpr uint64_t kLookNs = 10'000'000;  // the longest delay if a wake-up is lost

  [[gnu::noinline, gnu::cold]] bool TakeSlowly(uint64_t limit_ns) {
    const uint64_t given = given_.load(std::memory_order_relaxed);
    if (given == in_vain_.load(std::memory_order_relaxed)) return false;
    const uint64_t start = BootTimeNs();
    while (word_.exchange(kWaitedFor, std::memory_order_acquire) != kFree) {
      if (BootTimeNs() - start >= limit_ns) {
        // Remembers the holder that this thread waited for in vain, or the one after it.
        in_vain_.store(given, std::memory_order_relaxed);
        return false;
      }
      const timespec look = {0, static_cast<long>(kLookNs)};
      // Whatever ended the wait (a wake-up, a timeout, a changed word, a signal), the loop checks
      // again.
      (void)syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, kWaitedFor, &look, nullptr, 0);
    }
    return true;
  }

  std::atomic<uint32_t> word_{kFree};
  std::atomic<uint64_t> given_{0};  // how often Give was called; written by the holder
  std::atomic<uint64_t> in_vain_{UINT64_MAX};
};

}  // namespace rtl::capture
