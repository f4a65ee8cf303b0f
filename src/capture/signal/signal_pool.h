// SPDX-License-Identifier: MIT
// signal_pool.h: the process's profiling signals. Signals are created on demand and reused, so that
// the steady state creates none. docs/design/signals.md describes their life.
//
// Only the GPU completes them and only a poller watches them (HSA_AMD_SIGNAL_AMD_GPU_ONLY): no
// driver event, no interrupt per kernel, no limit of 4096.
//
// Threads    any
// Blocking   Take, Put: the lock of a few instructions. TryTake (for hooks): never
// Memory     a fixed table of handles. More than `kept` signals exist only under load. The worker
//            trims them after the load, not during it: otherwise a deep queue would create and
//            destroy a signal for every kernel
// Errors     a signal that the runtime refuses gives a smaller number or false
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

  // Creates up to `count` signals, `kept` in all, and keeps them; returns how many were created.
  uint32_t Grow(uint32_t count);
  // Takes free signals; returns how many of `count` there were.
  uint32_t Take(hsa_signal_t* signals, uint32_t count);
  // The same for hooks: gives up when another thread holds the lock.
  uint32_t TryTake(hsa_signal_t* signals, uint32_t count);
  // Returns a new signal with value 1.
  bool Create(hsa_signal_t* signal);
  // Resets a used signal: value 1, no times. The GPU must have finished with it.
  void Reset(hsa_signal_t signal) const;
  // Returns reset signals to the pool; destroys those without room in the table.
  void Put(const hsa_signal_t* signals, uint32_t count);
  // Destroys up to `count` free signals beyond the number to keep; returns how many.
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
  // Returns how many had room.
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
