// SPDX-License-Identifier: MIT
// pause.h: what roctxProfilerPause and roctxProfilerResume ask for: that a thread, or all of them,
// be left out for a while. What is left out is counted (Loss::kPaused). Requests are not counted:
// one Resume ends any number of Pauses. Whoever started the trace may ask for a time, or for the time
// in which a range of a name is open on any thread: all outside of these is left out, too.
//
// Threads    any; RecordBetween and RecordDuring before anything is recorded, once
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

  // Times of CLOCK_BOOTTIME; zero and UINT64_MAX: no such bound.
  static void RecordBetween(uint64_t from, uint64_t until);
  // `name` stays where it is; empty: always. Every range of that name is told with EnterRange, once it
  // is open, and LeaveRange.
  static void RecordDuring(const char* name);
  // HOT: one load while nobody has asked for a range. `name` may be null.
  static bool Awaits(const char* name) {
    const char* const awaited = range_.load(std::memory_order_acquire);  // pairs with RecordDuring
    return awaited != nullptr && IsSame(awaited, name);
  }
  static void EnterRange() { (void)open_ranges_.fetch_add(1, std::memory_order_relaxed); }
  static void LeaveRange();

  // Whatever was asked for is forgotten.
  static void TEST_Reset();

 private:
  [[gnu::cold]] static bool IsSame(const char* awaited, const char* name);
  [[gnu::cold]] static bool IsPaused(uint32_t thread);

  static inline constinit std::atomic<uint32_t> requested_{0};  // zero: nobody is paused
  static inline constinit std::atomic<bool> all_{false};
  static inline constinit std::atomic<uint32_t> threads_[kMaxThreads] = {};
  static inline constinit std::atomic<bool> has_times_{false};
  static inline constinit std::atomic<uint64_t> from_{0};
  static inline constinit std::atomic<uint64_t> until_{UINT64_MAX};
  static inline constinit std::atomic<const char*> range_{nullptr};
  static inline constinit std::atomic<uint32_t> open_ranges_{0};
};

}  // namespace rtl::capture
