// SPDX-License-Identifier: MIT
// intercept_tables.h: hands the tables of the runtimes to the tools that asked for them.
//
// Threads    Add: any, before tools are initialised, or the thread that does so. Tell: any thread
//            that brings a runtime
// Blocking   a lock held for a few instructions; the tools' functions run without it
// Memory     fixed
#pragma once

#include <rocprofiler-sdk/intercept_table.h>
#include <stdint.h>

#include "base/mutex.h"

namespace rtl::sdk {

class InterceptTables {
 public:
  static constexpr uint32_t kMost = 64;

  // "HSA"; null when it is no table.
  static const char* NameOf(uint32_t table);
  // By the name under which the library registers, and the number of the table it brings; zero:
  // none.
  static uint32_t TableOf(const char* library, uint64_t index);

  // Of no table means all. False: there are too many.
  bool Add(rocprofiler_intercept_library_cb_t callback, uint32_t tables, void* data);
  // What the library `name` brought: each table on its own.
  void Tell(const char* name, uint64_t version, uint64_t instance, void** tables, uint64_t count);

 private:
  struct Listener {
    rocprofiler_intercept_library_cb_t callback;
    uint32_t tables;
    void* data;
  };
  Mutex mutex_{Rank::kTools};
  uint32_t count_ RTL_GUARDED_BY(mutex_) = 0;
  Listener listeners_[kMost] RTL_GUARDED_BY(mutex_) = {};
};

}  // namespace rtl::sdk
