// SPDX-License-Identifier: MIT
// internal_threads.h: notifies tools before and after this library creates threads, on the creating
// thread. Threads that the runtimes create are not reported.
//
// Threads    any
// Blocking   a lock held for a few instructions; the tools' functions run without it
// Memory     fixed
#pragma once

#include <rocprofiler-sdk/internal_threading.h>
#include <stdint.h>

#include "base/mutex.h"

namespace rtl::sdk {

class InternalThreads {
 public:
  static constexpr uint32_t kMost = 64;

  InternalThreads() = default;
  InternalThreads(const InternalThreads&) = delete;
  InternalThreads& operator=(const InternalThreads&) = delete;

  // Either function may be null. False: there are too many.
  bool Add(rocprofiler_internal_thread_library_cb_t before,
           rocprofiler_internal_thread_library_cb_t after, uint32_t libraries, void* data);

 private:
  struct Listener {
    rocprofiler_internal_thread_library_cb_t before, after;
    uint32_t libraries;
    void* data;
  };

 public:
  // Threads may be created during its lifetime. A tool that gets the beginning gets the end; the
  // last tool gets it first.
  class Making {
   public:
    explicit Making(InternalThreads* threads);
    ~Making();
    Making(const Making&) = delete;
    Making& operator=(const Making&) = delete;

   private:
    uint32_t count_;
    Listener listeners_[kMost];
  };

 private:
  Mutex mutex_{Rank::kTools};
  uint32_t count_ RTL_GUARDED_BY(mutex_) = 0;
  Listener listeners_[kMost] RTL_GUARDED_BY(mutex_) = {};
};

}  // namespace rtl::sdk
