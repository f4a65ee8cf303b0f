// SPDX-License-Identifier: MIT
// signal_stock.h: the profiling signals of one queue: those that the worker has made ready, and
// when there are none, some that the hook fetches from the pool by itself.
//
// Threads    Take: under the lock of TracedQueue::OnPackets. cache, target: the worker as well.
//            Open, Release: while neither uses the queue, or the queue's hook does not run
// Blocking   the pool's lock when nothing is ready, for a few instructions
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

  // HOT. False: no memory for another signal.
  [[gnu::always_inline]] inline bool Take(hsa_signal_t* signal) {
    if (!cache_.TryTake(signal)) [[unlikely]] {
      return TakeFromPool(signal);
    }
    // An awake worker refills by itself.
    const uint32_t low = target_.load(std::memory_order_relaxed) / 4;
    if (cache_.Known() < low && bell_->Asleep() && cache_.Look() < low) [[unlikely]] {
      bell_->Ring();
    }
    return true;
  }
  // Every ready signal goes back to the pool.
  void Release(SignalPool* pool);

  SignalCache& cache() { return cache_; }
  // How full the cache should be; raised by the worker with demand.
  std::atomic<uint32_t>& target() { return target_; }

 private:
  static constexpr uint32_t kStash = 32;
  static constexpr uint32_t kFirstTarget = 16;

  bool TakeFromPool(hsa_signal_t* signal);

  // Read by the hook and the worker.
  alignas(64) std::atomic<uint32_t> target_{kFirstTarget};
  SignalPool* pool_ = nullptr;
  Bell* bell_ = nullptr;
  // The hook's.
  alignas(64) uint32_t stash_count_ = 0;  // signals that were fetched together
  hsa_signal_t stash_[kStash];
  SignalCache cache_;
};

}  // namespace rtl::capture
