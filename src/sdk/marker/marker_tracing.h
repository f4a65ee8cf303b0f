// SPDX-License-Identifier: MIT
// marker_tracing.h: wrappers in the tables that ROCTx libraries register, for the functions that
// some context subscribes to.
//
//   program ─► a tool's own (intercept_tables.h) ─► ours ─► the library's
//
// A process may have several such libraries: libroctx64.so.4, librocprofiler-sdk-roctx.so.1, or a
// copy inside a Python package. Each has tables of its own.
//
// Threads    OnTables: any. Entries are written with single atomic stores: other threads may be
//            calling through them
// Memory     fixed. The previous function of an entry is kept: threads may be inside
// Errors     one line when there are too many libraries; tables that are too short are unchanged
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "sdk/calls/api_calls.h"
#include "sdk/marker/marker_functions.h"
#include "sdk/marker/marker_ranges.h"

namespace rtl::sdk {

class MarkerTracing {
 public:
  static constexpr uint32_t kMostLibraries = MarkerRanges::kMostLibraries;

  // One per process: the functions find it without an argument.
  explicit MarkerTracing(ApiCalls* calls);
  MarkerTracing(const MarkerTracing&) = delete;
  MarkerTracing& operator=(const MarkerTracing&) = delete;

  // Configuration is complete.
  void Open() { ranges_.Open(); }

  // The tables of one library, in the order of MarkerTable. False: they are known already.
  bool OnTables(void** tables, uint64_t count);

 private:
  bool Asked(uint32_t index) const;

  ApiCalls* const calls_;
  MarkerRanges ranges_;
  Mutex mutex_{Rank::kTools};
  uint32_t count_ RTL_GUARDED_BY(mutex_) = 0;
  void* libraries_[kMostLibraries] RTL_GUARDED_BY(mutex_) = {};  // identified by their first tables
};

}  // namespace rtl::sdk
