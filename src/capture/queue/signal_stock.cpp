// SPDX-License-Identifier: MIT
#include "capture/queue/signal_stock.h"

#include "base/sched_point.h"

namespace rtl::capture {

void SignalStock::Open(SignalPool* pool, Bell* bell) {
  pool_ = pool;
  bell_ = bell;
  target_.store(kFirstTarget, std::memory_order_relaxed);
  // The worker does not scan a free queue, so this thread may fill the cache in its place.
  hsa_signal_t signals[kFirstTarget];
  const uint32_t taken = pool->Take(signals, kFirstTarget);
  for (uint32_t i = 0; i < taken; ++i) {
    if (!cache_.TryPut(signals[i], SignalCache::kCapacity)) pool->Put(&signals[i], 1);
  }
  cache_.Publish();
}

[[gnu::cold]] bool SignalStock::TakeFromPool(hsa_signal_t* signal) {
  bell_->Ring();
  RTL_SCHED_POINT("hook.no_signal");
  constexpr int kTries = 100;  // the pool's lock is held for a few instructions
  for (int tries = 0; stash_count_ == 0 && tries < kTries; ++tries) {
    if (pool_->free_count() == 0) break;
    stash_count_ = pool_->TryTake(stash_, kStash);
    if (stash_count_ == 0) __builtin_ia32_pause();
  }
  if (stash_count_ != 0) {
    *signal = stash_[--stash_count_];
    return true;
  }
  return pool_->Create(signal);
}

void SignalStock::Release(SignalPool* pool) {
  hsa_signal_t signal;
  while (cache_.TryTake(&signal)) {
    pool->Put(&signal, 1);
  }
  pool->Put(stash_, stash_count_);
  stash_count_ = 0;
}

}  // namespace rtl::capture
