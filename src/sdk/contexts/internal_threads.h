// SPDX-License-Identifier: MIT
// internal_threads.h: notifies tools before and after this library creates a thread, on the thread
// that creates it. Threads that the runtimes create are not reported.
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

  // Either function may be null. False if there are too many requests.
  bool Add(rocprofiler_internal_thread_library_cb_t before,
           rocprofiler_internal_thread_library_cb_t after, uint32_t libraries, void* data);

 private:
  struct Listener {
    rocprofiler_internal_thread_library_cb_t before, after;
    uint32_t libraries;
    void* data;
  };

 public:
  // Exists while threads may be created. A tool that is notified of the beginning is notified of
  // the end, in reverse order of the tools.
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
