// SPDX-License-Identifier: MIT
// intercept_tables.h: passes the tables of the runtimes to the tools that requested them.
//
// Threads    Add: any, before tools are initialised, or the thread that initialises them. Tell: any
//            thread that loads a runtime
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

  // For example "HSA"; null when there is no such table.
  static const char* NameOf(uint32_t table);
  // Finds a table by the name under which its library registers, and by the index among the
  // library's tables. Zero: none.
  static uint32_t TableOf(const char* library, uint64_t index);

  // If `tables` names no table, all are requested. False if there are too many requests.
  bool Add(rocprofiler_intercept_library_cb_t callback, uint32_t tables, void* data);
  // Passes on the tables of the library `name`, each separately.
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
