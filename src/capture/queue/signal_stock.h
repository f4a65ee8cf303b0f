// SPDX-License-Identifier: MIT
// signal_stock.h: the profiling signals of one queue. The worker makes signals ready; when none is
// ready, the hook itself takes some from the pool.
//
// Threads    Take: under the lock of TracedQueue::OnPackets. cache, target: the worker as well.
//            Open, Release: while neither the hook nor the worker uses the queue, or while the
//            queue's hook does not run
// Blocking   when no signal is ready, the pool's lock, which is held for a few instructions
// Memory     fixed
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include <atomic>

#include "base/bell.h"
#include "capture/signal/signal_cache.h"
#include "capture/signal/signal_pool.h"

namespace rtl::capture {

class SignalStock {
 public:
  void Open(SignalPool* pool, Bell* bell);

  // HOT. False if there is no memory for another signal.
  [[gnu::always_inline]] inline bool Take(hsa_signal_t* signal) {
    if (!cache_.TryTake(signal)) [[unlikely]] {
      return TakeFromPool(signal);
    }
    // Wakes the worker only if it sleeps: an awake worker refills the cache by itself.
    const uint32_t low = target_.load(std::memory_order_relaxed) / 4;
    if (cache_.Known() < low && bell_->Asleep() && cache_.Look() < low) [[unlikely]] {
      bell_->Ring();
    }
    return true;
  }
  // Returns every ready signal to the pool.
  void Release(SignalPool* pool);

  SignalCache& cache() { return cache_; }
  // How many signals the cache should have; the worker raises it with demand.
  std::atomic<uint32_t>& target() { return target_; }

 private:
  static constexpr uint32_t kStash = 32;
  static constexpr uint32_t kFirstTarget = 16;

  bool TakeFromPool(hsa_signal_t* signal);

  // Read by the hook and by the worker.
  alignas(64) std::atomic<uint32_t> target_{kFirstTarget};
  SignalPool* pool_ = nullptr;
  Bell* bell_ = nullptr;
  // Used by the hook only.
  alignas(64) uint32_t stash_count_ = 0;  // signals that the hook has taken from the pool at once
  hsa_signal_t stash_[kStash];
  SignalCache cache_;
};

}  // namespace rtl::capture
