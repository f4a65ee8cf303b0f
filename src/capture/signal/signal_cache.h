// SPDX-License-Identifier: MIT
// signal_cache.h: the profiling signals that are ready for one queue.
//
// The obvious design, to hand over each signal as it returns, is slow. When the worker is behind,
// the hook takes each signal at once, and both wait for each other's cache lines at every kernel.
// Here the worker hands over kBatch signals at a time, and reads only once between two Publish
// calls how many were taken.
//
// Threads    one producer (the worker), one consumer (the thread that holds the runtime's lock of
//            the queue)
// Blocking   never
// Memory     fixed
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include <atomic>

namespace rtl::capture {

class SignalCache {
 public:
  static constexpr uint32_t kCapacity =
      2048;  // as many as a busy queue takes between two passes of the worker

  // Worker: adds a signal. False if, as far as the worker knows, `limit` signals (at most
  // kCapacity) are ready already. The hook gets the signal after Publish at the latest.
  bool TryPut(hsa_signal_t signal, uint32_t limit) {
    if (put_ - tail_seen_ >= limit) {
      if (has_looked_) return false;
      has_looked_ = true;
      tail_seen_ = tail_.load(std::memory_order_acquire);  // pairs with (B)
      if (put_ - tail_seen_ >= limit) return false;
    }
    slots_[put_ % kCapacity] = signal;
    if (++put_ % kBatch == 0) HandOver();
    return true;
  }
  void Publish() {
    has_looked_ = false;
    if (head_.load(std::memory_order_relaxed) != put_) HandOver();  // only this thread writes head_
  }

  // Hook: takes a signal. False if the cache is empty.
  bool TryTake(hsa_signal_t* signal) {
    const uint64_t tail = tail_.load(std::memory_order_relaxed);  // only this thread writes tail_
    if (tail == head_seen_) {
      head_seen_ = head_.load(std::memory_order_acquire);  // pairs with (A)
      if (tail == head_seen_) return false;
    }
    *signal = slots_[tail % kCapacity];
    __builtin_prefetch(&slots_[(tail + 8) % kCapacity]);  // the worker wrote this line last
    tail_.store(tail + 1, std::memory_order_release);     // (B) returns the slot
    return true;
  }

  // Hook: how many signals are left as far as the hook knows. There may be more.
  uint32_t Known() const {
    return static_cast<uint32_t>(head_seen_ - tail_.load(std::memory_order_relaxed));
  }
  // Hook: reads how many signals are left now.
  uint32_t Look() {
    head_seen_ = head_.load(std::memory_order_acquire);  // pairs with (A)
    return Known();
  }

  // Worker: an upper limit of the signals that are left.
  uint32_t Level() const {
    return static_cast<uint32_t>(put_ - tail_.load(std::memory_order_relaxed));
  }
  // How many signals were ever taken. The worker refills by this number.
  uint64_t Taken() const { return tail_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kBatch = 16;  // two cache lines

  // (A) releases signals that are reset and ready.
  void HandOver() { head_.store(put_, std::memory_order_release); }

  alignas(64) std::atomic<uint64_t> tail_{0};
  uint64_t head_seen_ = 0;  // the hook's last view of head_
  alignas(64) std::atomic<uint64_t> head_{0};
  alignas(64) uint64_t put_ = 0;  // used by the worker: the next value of head_
  uint64_t tail_seen_ = 0;        // the worker's last view of tail_
  bool has_looked_ = false;       // the worker has read tail_ since the last Publish
  alignas(64) hsa_signal_t slots_[kCapacity];
};

}  // namespace rtl::capture
