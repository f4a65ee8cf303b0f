// SPDX-License-Identifier: MIT
// bell.h: how hooks wake the worker, and how the worker sleeps.
//
//   hook, urgent:  publish; urgent_ += 1 (full barrier); asleep_?      -> wake
//   worker:        asleep_ = true (full barrier); urgent_ as before?   -> sleep
// At least one of the two sees the other. An ordinary ring may be missed; the worker then sleeps
// until its heartbeat, which bounds every wait.
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

  // Returns after `limit_ns`, or sooner when the bell was rung, or at once when it was rung
  // urgently since the last call.
  void Sleep(uint64_t limit_ns) {
    const uint32_t word = word_.load(std::memory_order_relaxed);
    asleep_.store(true, std::memory_order_seq_cst);
    const uint32_t urgent = urgent_.load(std::memory_order_seq_cst);
    if (urgent == urgent_seen_) {
      const timespec limit = {static_cast<time_t>(limit_ns / 1'000'000'000),
                              static_cast<long>(limit_ns % 1'000'000'000)};
      // After every outcome (rung, timed out, word changed, interrupted) the caller checks again.
      (void)syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, word, &limit, nullptr, 0);
    }
    urgent_seen_ = urgent;
    asleep_.store(false, std::memory_order_relaxed);
  }

 private:
  [[gnu::noinline, gnu::cold]] void Wake() {
    if (!asleep_.exchange(false, std::memory_order_relaxed)) return;  // another thread does it
    word_.fetch_add(1, std::memory_order_relaxed);
    // A wake without a waiter is not a failure.
    (void)syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }

  alignas(64) std::atomic<bool> asleep_{false};
  std::atomic<uint32_t> urgent_{0};
  std::atomic<uint32_t> word_{0};
  uint32_t urgent_seen_ = 0;  // worker only
};
static_assert(sizeof(std::atomic<uint32_t>) == 4, "the kernel's futex word");

}  // namespace rtl
