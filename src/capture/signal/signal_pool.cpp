// SPDX-License-Identifier: MIT
#include "capture/signal/signal_pool.h"

#include <hsa/hsa_ext_amd.h>

#include <algorithm>

#include "capture/signal/signal_times.h"

namespace rtl::capture {

void SignalPool::Init(const HsaApi* api, uint32_t kept) {
  api_ = api;
  kept_ = std::min(kept, kCapacity);
}

bool SignalPool::Create(hsa_signal_t* signal) {
  if (api_->amd_signal_create(1, 0, nullptr, HSA_AMD_SIGNAL_AMD_GPU_ONLY, signal) !=
      HSA_STATUS_SUCCESS) {
    return false;
  }
  created_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

uint32_t SignalPool::Grow(uint32_t count) {
  uint32_t made = 0;
  for (; made < count && alive() < kept_; ++made) {
    hsa_signal_t signal;
    if (!Create(&signal)) break;
    Put(&signal, 1);
  }
  return made;
}

uint32_t SignalPool::Take(hsa_signal_t* signals, uint32_t count) {
  MutexLock lock(mutex_);
  const uint32_t available = free_count_.load(std::memory_order_relaxed);
  const uint32_t taken = std::min(count, available);
  for (uint32_t i = 0; i < taken; ++i) {
    signals[i] = free_[available - 1 - i];
  }
  free_count_.store(available - taken, std::memory_order_relaxed);
  return taken;
}

uint32_t SignalPool::TryTake(hsa_signal_t* signals, uint32_t count) {
  if (free_count() == 0) return 0;
  if (!mutex_.TryLock()) return 0;
  const uint32_t available = free_count_.load(std::memory_order_relaxed);
  const uint32_t taken = std::min(count, available);
  for (uint32_t i = 0; i < taken; ++i) {
    signals[i] = free_[available - 1 - i];
  }
  free_count_.store(available - taken, std::memory_order_relaxed);
  mutex_.Unlock();
  return taken;
}

void SignalPool::Reset(hsa_signal_t signal) const {
  StoreTimes(signal, {});
  StoreValue(signal, 1);
}

uint32_t SignalPool::Keep(const hsa_signal_t* signals, uint32_t count) {
  MutexLock lock(mutex_);
  const uint32_t available = free_count_.load(std::memory_order_relaxed);
  const uint32_t kept = std::min(count, kCapacity - available);
  std::copy_n(signals, kept, free_ + available);
  free_count_.store(available + kept, std::memory_order_relaxed);
  return kept;
}

void SignalPool::Put(const hsa_signal_t* signals, uint32_t count) {
  if (count == 0) return;
  for (uint32_t i = Keep(signals, count); i < count; ++i) Destroy(signals[i]);
}

uint32_t SignalPool::Trim(uint32_t count) {
  uint32_t trimmed = 0;
  hsa_signal_t signal;
  while (trimmed < count && alive() > kept_ && Take(&signal, 1) == 1) {
    Destroy(signal);
    ++trimmed;
  }
  return trimmed;
}

void SignalPool::Destroy(hsa_signal_t signal) {
  // If this fails, the runtime's own clean-up destroys the signal. In both cases it does not belong
  // to the tracer any more.
  (void)api_->signal_destroy(signal);
  destroyed_.fetch_add(1, std::memory_order_relaxed);
}

void SignalPool::DestroyFree() {
  hsa_signal_t signals[64];
  while (const uint32_t taken = Take(signals, 64)) {
    for (uint32_t i = 0; i < taken; ++i) {
      Destroy(signals[i]);
    }
  }
}

}  // namespace rtl::capture
