// SPDX-License-Identifier: MIT
// demand.h: says whether any tool wants events now. A tool may subscribe to events and have no
// started context; then the hooks only pass calls and packets through.
//
//   Update(wants)     stores the result of `wants`; called after each change of that result
//   Quiet()           HOT: one relaxed load
//
// If two threads update at once, the answer of the thread that evaluated `wants` later stays.
//
// Threads    any
// Blocking   never
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl {

class Demand {
 public:
  constexpr Demand() = default;
  Demand(const Demand&) = delete;
  Demand& operator=(const Demand&) = delete;

  bool Quiet() const { return (word_.load(std::memory_order_relaxed) & kQuiet) != 0; }

  template <typename Wants>
  void Update(Wants wants) {
    uint64_t word = word_.load(std::memory_order_seq_cst);
    // Fails if another thread has stored an answer since `word` was read. That answer may be newer
    // or older than this thread's, so `wants` is evaluated again.
    while (!word_.compare_exchange_weak(word, (word & ~kQuiet) + kOnce + (wants() ? 0 : kQuiet),
                                        std::memory_order_seq_cst)) {
    }
  }

 private:
  static constexpr uint64_t kQuiet = 1;
  static constexpr uint64_t kOnce = 2;  // the bits from here on count the updates

  std::atomic<uint64_t> word_{0};
};

}  // namespace rtl
