// SPDX-License-Identifier: MIT
// pause.h: what roctxProfilerPause and roctxProfilerResume ask for: that a thread, or all of them,
// be left out for a while. What is left out is counted (Loss::kPaused). Requests are not counted:
// one Resume ends any number of Pauses.
//
// Threads    any
// Blocking   never
// Memory     kMaxThreads threads can be paused one by one
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/thread_state.h"

namespace rtl::capture {

class Pause {
 public:
  static constexpr uint32_t kAllThreads = 0;
  static constexpr uint32_t kMaxThreads = 64;

  // HOT: one load while nobody has asked for a pause. The calling thread is left out now.
  static bool Active() {
    return requested_.load(std::memory_order_relaxed) != 0 && IsPaused(ThreadId::Current());
  }
  // False: too many threads are paused one by one; nothing has changed.
  static bool Begin(uint32_t thread);
  // kAllThreads: whatever was paused goes on.
  static void End(uint32_t thread);

 private:
  [[gnu::cold]] static bool IsPaused(uint32_t thread);

  static inline constinit std::atomic<uint32_t> requested_{0};  // zero: nobody is paused
  static inline constinit std::atomic<bool> all_{false};
  static inline constinit std::atomic<uint32_t> threads_[kMaxThreads] = {};
};

}  // namespace rtl::capture
