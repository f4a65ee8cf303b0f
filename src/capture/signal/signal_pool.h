// SPDX-License-Identifier: MIT
// signal_pool.h: the process's profiling signals. Signals are created on demand and reused, so that
// the steady state creates none. docs/design/signals.md describes their life.
//
// Only the GPU completes these signals, and they are only polled (HSA_AMD_SIGNAL_AMD_GPU_ONLY). So
// they need no driver event, cause no interrupt per kernel, and are not limited to 4096.
//
// Threads    any
// Blocking   Take, Put: a lock held for a few instructions. TryTake (for hooks): never
// Memory     a fixed table of handles. More than `kept` signals exist only under load. The worker
//            trims them after the load, not during it: otherwise a deep queue would create and
//            destroy a signal for every kernel
// Errors     if the runtime refuses to create a signal, the result is a smaller number, or false
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "capture/hsa/hsa_api.h"

namespace rtl::capture {

class SignalPool {
 public:
  static constexpr uint32_t kCapacity = 64 * 1024;

  SignalPool() = default;
  SignalPool(const SignalPool&) = delete;
  SignalPool& operator=(const SignalPool&) = delete;

  void Init(const HsaApi* api, uint32_t kept);

  // Creates up to `count` signals, so that at most `kept` exist, and puts them into the pool.
  // Returns how many were created.
  uint32_t Grow(uint32_t count);
  // Takes up to `count` free signals. Returns how many were taken.
  uint32_t Take(hsa_signal_t* signals, uint32_t count);
  // Take for hooks: returns zero if another thread holds the lock.
  uint32_t TryTake(hsa_signal_t* signals, uint32_t count);
  // Returns a new signal with value 1.
  bool Create(hsa_signal_t* signal);
  // Resets a used signal: value 1, no times. The GPU must have finished with it.
  void Reset(hsa_signal_t signal) const;
  // Returns reset signals to the pool. Destroys those for which the table has no room.
  void Put(const hsa_signal_t* signals, uint32_t count);
  // Destroys up to `count` free signals beyond `kept`. Returns how many.
  uint32_t Trim(uint32_t count);
  // Destroys one signal that is not in the pool.
  void Destroy(hsa_signal_t signal);
  // Destroys all free signals.
  void DestroyFree();

  uint32_t free_count() const { return free_count_.load(std::memory_order_relaxed); }
  uint32_t kept() const { return kept_; }
  uint64_t created() const { return created_.load(std::memory_order_relaxed); }
  uint64_t destroyed() const { return destroyed_.load(std::memory_order_relaxed); }
  uint64_t alive() const { return created() - destroyed(); }

 private:
  // Puts signals into the table. Returns how many had room.
  uint32_t Keep(const hsa_signal_t* signals, uint32_t count);

  const HsaApi* api_ = nullptr;
  uint32_t kept_ = 0;
  std::atomic<uint64_t> created_{0};
  std::atomic<uint64_t> destroyed_{0};
  Mutex mutex_{Rank::kSignals};
  std::atomic<uint32_t> free_count_{0};  // written under mutex_
  hsa_signal_t free_[kCapacity] RTL_GUARDED_BY(mutex_);
};

}  // namespace rtl::capture
