// SPDX-License-Identifier: MIT
// signal_cache.h: the profiling signals that stand ready for one queue.
//
// Threads    one producer (the worker), one consumer (whoever holds the runtime's lock of the
//            queue)
// Blocking   never
// Memory     fixed
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include <atomic>

namespace rtl::capture {

class SignalCache {
 public:
  static constexpr uint32_t kCapacity = 512;

  // Worker. False when full.
  bool TryPut(hsa_signal_t signal) {
    const uint64_t head = head_.load(std::memory_order_relaxed);  // nobody else writes head_
    if (head - tail_.load(std::memory_order_acquire) == kCapacity) return false;  // pairs with (B)
    slots_[head % kCapacity] = signal;
    head_.store(head + 1, std::memory_order_release);  // (A) the signal is reset and ready
    return true;
  }

  // Hook. False when empty.
  bool TryTake(hsa_signal_t* signal) {
    const uint64_t tail = tail_.load(std::memory_order_relaxed);  // our own cursor
    if (tail == head_seen_) {
      head_seen_ = head_.load(std::memory_order_acquire);  // pairs with (A)
      if (tail == head_seen_) return false;
    }
    *signal = slots_[tail % kCapacity];
    tail_.store(tail + 1, std::memory_order_release);  // (B) hands the slot back
    return true;
  }

  // Hook: fewer than `low` are left. Looks at the worker's line only when it may be so.
  bool LowFor(uint32_t low) {
    const uint64_t tail = tail_.load(std::memory_order_relaxed);
    if (head_seen_ - tail >= low) return false;
    head_seen_ = head_.load(std::memory_order_acquire);  // pairs with (A)
    return head_seen_ - tail < low;
  }

  // Either side: exact for what it does itself, a lower (consumer) or upper (producer) bound else.
  uint32_t Level() const {
    const uint64_t tail = tail_.load(std::memory_order_relaxed);
    return static_cast<uint32_t>(head_.load(std::memory_order_relaxed) - tail);
  }
  // How many were ever taken; the worker keeps the level in step with it.
  uint64_t Taken() const { return tail_.load(std::memory_order_relaxed); }

 private:
  alignas(64) std::atomic<uint64_t> tail_{0};
  uint64_t head_seen_ = 0;  // the consumer's last view of head_
  alignas(64) std::atomic<uint64_t> head_{0};
  alignas(64) hsa_signal_t slots_[kCapacity];
};

}  // namespace rtl::capture
