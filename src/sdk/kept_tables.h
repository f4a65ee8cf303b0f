// SPDX-License-Identifier: MIT
// kept_tables.h: keeps the tables of runtimes that registered before there was a tool. The first
// tool gets these tables as if the runtimes had registered at that moment.
//
// Threads    any
// Memory     fixed. A registration that does not fit, or has more tables than any known runtime, is
//            not kept; its tables are then found in other ways
#pragma once

#include <stdint.h>

#include "base/mutex.h"
#include "capture/session/session.h"

namespace rtl::sdk {

class KeptTables {
 public:
  static constexpr uint64_t kMostTables = 4;  // most tables of a runtime
  struct Registration {
    char name[32] = {};
    uint64_t version = 0, instance = 0, count = 0;
    capture::Session::LoadedBy loaded_by = {};
    void* tables[kMostTables] = {};
  };

  void Keep(const char* name, uint64_t version, uint64_t instance, void** tables, uint64_t count,
            capture::Session::LoadedBy loaded_by);
  // The library with this name is unloaded.
  void Forget(const char* name);
  // Takes the oldest registration out. False if there is none.
  bool Take(Registration* out);

 private:
  static constexpr uint32_t kMost = 16;

  Mutex mutex_{Rank::kTools};
  uint32_t count_ RTL_GUARDED_BY(mutex_) = 0;
  Registration kept_[kMost] RTL_GUARDED_BY(mutex_);
};

}  // namespace rtl::sdk
