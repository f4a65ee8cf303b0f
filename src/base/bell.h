// SPDX-License-Identifier: MIT
// bell.h: lets the worker sleep, and lets hooks wake it.
//
//   hook, urgent:  publish; urgent_ += 1 (full barrier); asleep_?      -> wake
//   worker:        asleep_ = true (full barrier); urgent_ as before?   -> sleep
// Either the hook sees that the worker is asleep, or the worker sees the urgent ring. An ordinary
// ring may be missed; the worker then sleeps until its heartbeat, which bounds every wait.
//
// Threads    Ring, RingUrgent: any. Sleep: the worker
// Blocking   Ring: never; one system call when the worker is asleep, none otherwise
#pragma once

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace rtl {

class Bell {
 public:
  bool Asleep() const { return asleep_.load(std::memory_order_relaxed); }

  void Ring() {
    if (asleep_.load(std::memory_order_relaxed)) [[unlikely]] {
      Wake();
    }
  }

  void RingUrgent() {
    urgent_.fetch_add(1, std::memory_order_seq_cst);
    if (asleep_.load(std::memory_order_seq_cst)) Wake();
  }

  // Returns after `limit_ns`, or earlier if the bell is rung. Returns at once if the bell was rung
  // urgently since the last call.
  void Sleep(uint64_t limit_ns) {
    const uint32_t word = word_.load(std::memory_order_relaxed);
    asleep_.store(true, std::memory_order_seq_cst);
    const uint32_t urgent = urgent_.load(std::memory_order_seq_cst);
    if (urgent == urgent_seen_) {
      const timespec limit = {static_cast<time_t>(limit_ns / 1'000'000'000),
                              static_cast<long>(limit_ns % 1'000'000'000)};
      // Whatever ended the wait (a ring, a timeout, a changed word, a signal), the caller checks
      // again.
      (void)syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, word, &limit, nullptr, 0);
    }
    urgent_seen_ = urgent;
    asleep_.store(false, std::memory_order_relaxed);
  }

 private:
  [[gnu::noinline, gnu::cold]] void Wake() {
    // another thread wakes the worker
    if (!asleep_.exchange(false, std::memory_order_relaxed)) return;
    word_.fetch_add(1, std::memory_order_relaxed);
    // If no thread waits, the call wakes none, which is no failure.
    (void)syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }

  alignas(64) std::atomic<bool> asleep_{false};
  std::atomic<uint32_t> urgent_{0};
  std::atomic<uint32_t> word_{0};
  uint32_t urgent_seen_ = 0;  // used by the worker only
};
static_assert(sizeof(std::atomic<uint32_t>) == 4, "the kernel's futex word");

}  // namespace rtl
