// SPDX-License-Identifier: MIT
// marker_tracing.h: wraps functions in the tables that ROCTx libraries register, if some context
// subscribes to them.
//
//   program ─► a tool's own (intercept_tables.h) ─► ours ─► the library's
//
// A process may have several such libraries: libroctx64.so.4, librocprofiler-sdk-roctx.so.1, or a
// copy inside a Python package. Each has tables of its own.
//
// Threads    OnTables: any. Entries are written with single atomic stores: other threads may be
//            calling through them
// Memory     fixed. The previous function of an entry is kept, because threads may be inside the
//            wrapper
// Errors     too many libraries give one line on stderr; tables that are too short are unchanged
#pragma once

#include <stdint.h>

#include "base/mutex.h"
#include "sdk/calls/api_calls.h"
#include "sdk/marker/marker_ranges.h"

namespace rtl::sdk {

class MarkerTracing {
 public:
  static constexpr uint32_t kMostLibraries = MarkerRanges::kMostLibraries;

  // One per process, because the wrappers have no argument to find it by.
  explicit MarkerTracing(ApiCalls* calls);
  MarkerTracing(const MarkerTracing&) = delete;
  MarkerTracing& operator=(const MarkerTracing&) = delete;

  // Called when configuration is complete.
  void Open() { ranges_.Open(); }

  // Wraps the tables of one library, given in the order of MarkerTable. False if these tables are
  // known already.
  bool OnTables(void** tables, uint64_t count);

 private:
  bool Asked(uint32_t index) const;

  ApiCalls* const calls_;
  MarkerRanges ranges_;
  Mutex mutex_{Rank::kTools};
  uint32_t count_ RTL_GUARDED_BY(mutex_) = 0;
  // known libraries, identified by their first tables
  void* libraries_[kMostLibraries] RTL_GUARDED_BY(mutex_) = {};
};

}  // namespace rtl::sdk
