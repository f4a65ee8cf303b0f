// SPDX-License-Identifier: MIT
// pause.h: implements roctxProfilerPause and roctxProfilerResume, which stop and resume the
// recording of one thread or of all threads. Omitted events are counted (Loss::kPaused). Requests
// are not counted: one Resume ends any number of Pauses. The trace's options may select a period of
// time, or the time in which a range of a given name is open on any thread. Events outside of that
// time are omitted, too.
//
// Threads    any; RecordBetween and RecordDuring before anything is recorded, once
// Blocking   never
// Memory     kMaxThreads threads can be paused individually
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/thread_state.h"

namespace rtl::capture {

class Pause {
 public:
  static constexpr uint32_t kAllThreads = 0;
  static constexpr uint32_t kMaxThreads = 64;

  // HOT: one load while no pause is requested. True if the calling thread is paused now.
  static bool Active() { return Requested() && IsPaused(ThreadId::Current()); }
  // False if no thread is paused.
  static bool Requested() { return requested_.load(std::memory_order_relaxed) != 0; }
  // Pauses a thread, or kAllThreads. False if too many threads are paused individually; nothing has
  // changed then.
  static bool Begin(uint32_t thread);
  // Resumes a thread. kAllThreads resumes all threads.
  static void End(uint32_t thread);

  // Records only between two times of CLOCK_BOOTTIME. Zero and UINT64_MAX mean that there is no
  // such bound.
  static void RecordBetween(uint64_t from, uint64_t until);
  // Records only while a range with this name is open. `name` must stay valid; empty: no condition.
  // EnterRange must be called for every range of that name after it has opened, and LeaveRange at
  // its end.
  static void RecordDuring(const char* name);
  // HOT: one load when no range was selected. True if `name` is the selected range; it may be null.
  static bool Awaits(const char* name) {
    const char* const awaited = range_.load(std::memory_order_acquire);  // pairs with RecordDuring
    return awaited != nullptr && IsSame(awaited, name);
  }
  static void EnterRange();
  static void LeaveRange();

  // The last period in which the thread was recorded. `until` is UINT64_MAX while the period lasts.
  // `before`: the end of the period before it, if that is known; otherwise `from`.
  struct Period {
    uint64_t from = 0;
    uint64_t until = UINT64_MAX;
    uint64_t before = 0;
  };
  static Period LastPeriod(uint32_t thread);
  // In the child of a fork, whose only thread had the id `before` in the parent: the thread's pause
  // continues. Async-signal-safe.
  static void OnForkInChild(uint32_t before, uint32_t now);

  // Forgets all requests.
  static void TEST_Reset();

 private:
  [[gnu::cold]] static bool IsSame(const char* awaited, const char* name);
  [[gnu::cold]] static bool IsPaused(uint32_t thread);

  static inline constinit std::atomic<uint32_t> requested_{0};  // zero: no thread is paused
  static inline constinit std::atomic<bool> all_{false};
  static inline constinit std::atomic<uint32_t> threads_[kMaxThreads] = {};
  static inline constinit std::atomic<bool> has_times_{false};
  static inline constinit std::atomic<uint64_t> from_{0};
  static inline constinit std::atomic<uint64_t> until_{UINT64_MAX};
  static inline constinit std::atomic<const char*> range_{nullptr};
  static inline constinit std::atomic<uint32_t> open_ranges_{0};
  // The times at which each condition last changed.
  static inline constinit std::atomic<uint64_t> paused_at_{0};
  // also set when any single thread is resumed
  static inline constinit std::atomic<uint64_t> resumed_at_{0};
  static inline constinit std::atomic<uint64_t> threads_paused_at_[kMaxThreads] = {};
  static inline constinit std::atomic<uint64_t> entered_at_{UINT64_MAX};
  static inline constinit std::atomic<uint64_t> left_at_{0};
};

}  // namespace rtl::capture
