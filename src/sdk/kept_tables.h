// SPDX-License-Identifier: MIT
// kept_tables.h: the tables of runtimes that registered before there was a tool. The first tool
// gets them as if the runtimes registered then.
//
// Threads    any
// Memory     fixed: what comes when it is full, or has more tables than any runtime known, is
//            looked for elsewhere
#pragma once

#include <stdint.h>

#include "base/mutex.h"
#include "capture/session/session.h"

namespace rtl::sdk {

class KeptTables {
 public:
  static constexpr uint64_t kMostTables = 4;  // of a runtime
  struct Registration {
    char name[32] = {};
    uint64_t version = 0, instance = 0, count = 0;
    capture::Session::LoadedBy loaded_by = {};
    void* tables[kMostTables] = {};
  };

  void Keep(const char* name, uint64_t version, uint64_t instance, void** tables, uint64_t count,
            capture::Session::LoadedBy loaded_by);
  // The library of this name is gone.
  void Forget(const char* name);
  // The oldest, which is no longer kept. False: there is none.
  bool Take(Registration* out);

 private:
  static constexpr uint32_t kMost = 16;

  Mutex mutex_{Rank::kTools};
  uint32_t count_ RTL_GUARDED_BY(mutex_) = 0;
  Registration kept_[kMost] RTL_GUARDED_BY(mutex_);
};

}  // namespace rtl::sdk
