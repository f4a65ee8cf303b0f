// SPDX-License-Identifier: MIT
#include "capture/marker/pause.h"

namespace rtl::capture {

bool Pause::IsPaused(uint32_t thread) {
  if (all_.load(std::memory_order_relaxed)) return true;
  for (const auto& paused : threads_) {
    if (paused.load(std::memory_order_relaxed) == thread) return true;
  }
  return false;
}

bool Pause::Begin(uint32_t thread) {
  if (thread == kAllThreads) {
    if (!all_.exchange(true, std::memory_order_relaxed)) {
      (void)requested_.fetch_add(1, std::memory_order_relaxed);
    }
    return true;
  }
  for (const auto& paused : threads_) {
    if (paused.load(std::memory_order_relaxed) == thread) return true;
  }
  for (auto& place : threads_) {
    uint32_t none = 0;
    if (!place.compare_exchange_strong(none, thread, std::memory_order_relaxed)) continue;
    (void)requested_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  return false;
}

void Pause::End(uint32_t thread) {
  const bool everybody = thread == kAllThreads;
  if (everybody && all_.exchange(false, std::memory_order_relaxed)) {
    (void)requested_.fetch_sub(1, std::memory_order_relaxed);
  }
  for (auto& place : threads_) {
    uint32_t paused = place.load(std::memory_order_relaxed);
    if (paused == 0 || (!everybody && paused != thread)) continue;
    if (place.compare_exchange_strong(paused, 0, std::memory_order_relaxed)) {
      (void)requested_.fetch_sub(1, std::memory_order_relaxed);
    }
  }
}

}  // namespace rtl::capture
