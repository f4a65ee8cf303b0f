// SPDX-License-Identifier: MIT
// demand.h: whether a tool wants events now. One that subscribes to them may have no context started: then
// hooks let everything pass.
//
//   Update(wants)     evaluates `wants` and stores the answer; called after each change of what it depends on
//   Quiet()           HOT: one relaxed load
//
// Of two threads that update at once, the answer of the one that evaluated later stays.
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
    // Fails when another thread has stored an answer since: its answer may be newer or older.
    while (!word_.compare_exchange_weak(word, (word & ~kQuiet) + kOnce + (wants() ? 0 : kQuiet),
                                        std::memory_order_seq_cst)) {
    }
  }

 private:
  static constexpr uint64_t kQuiet = 1;
  static constexpr uint64_t kOnce = 2;  // the number of updates

  std::atomic<uint64_t> word_{0};
};

}  // namespace rtl
