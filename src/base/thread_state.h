// SPDX-License-Identifier: MIT
// thread_state.h: the tracer's thread-local state that every module may need.
//
// Threads    each thread has its own; no constructor, no destructor, usable from signal handlers
// Memory     initial-exec: global-dynamic TLS may call malloc on first touch. That block is small
//            and shared with every other dlopen'ed library, so librtl.so as a whole gets 64 bytes
#pragma once

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace rtl {

// Held only while the tracer itself runs. Calls that the tracer makes, and signal handlers that
// interrupt the tracer, see Active() and pass straight through to the real function.
class ReentryGuard {
 public:
  ReentryGuard() { ++depth_; }
  ~ReentryGuard() { --depth_; }
  ReentryGuard(const ReentryGuard&) = delete;
  ReentryGuard& operator=(const ReentryGuard&) = delete;
  static bool Active() { return depth_ != 0; }
  // For code that leaves stack frames without running destructors.
  static uint32_t Depth() { return depth_; }
  static void Restore(uint32_t depth) { depth_ = depth; }

 private:
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local uint32_t depth_ = 0;
};

// The kernel's id of the calling thread. The first call on a thread makes a system call and caches
// the id.
class ThreadId {
 public:
  // In the child of a fork the calling thread has a new id.
  static void OnForkInChild() { cached_ = 0; }
  static uint32_t Current() {
    if (cached_ == 0) [[unlikely]]
      First();
    return cached_;
  }
  // From now on `report` is called on each thread when it calls Current for the first time. May be
  // null.
  static void ReportFirst(void (*report)(uint32_t thread)) {
    report_.store(report, std::memory_order_release);  // pairs with First
  }

 private:
  [[gnu::cold, gnu::noinline]] static void First() {
    cached_ = static_cast<uint32_t>(syscall(SYS_gettid));
    void (*const report)(uint32_t) = report_.load(std::memory_order_acquire);
    if (report != nullptr) report(cached_);
  }

  static inline constinit std::atomic<void (*)(uint32_t)> report_{nullptr};
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local uint32_t cached_ = 0;
};

}  // namespace rtl
