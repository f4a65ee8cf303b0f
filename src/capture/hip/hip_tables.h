// SPDX-License-Identifier: MIT
// hip_tables.h: the dispatch tables that HIP (6 and later) registers with rocprofiler-register, and
// the tracer's wrappers of their entries.
//
//   table          size_t: size of the table in bytes, then one pointer per function
//   "hip"          442 functions in HIP 6.0, 474 in 6.4, 506 in 7.2, 541 in 7.14
//   "hip_compiler" 9
//
// HIP adds entries at the end of a table and never moves one. So if a table is longer than any
// described one, its described part is used, and calls of the other entries are counted. An entry
// may be null, because HIP only declares some functions.
//
// Threads    Check, Wrap: one at a time. The wrappers: any thread of the application
// Blocking   never
// Memory     constant tables, and the former pointers of the entries; one table of each kind
// Errors     Check reports what is wrong with a table and changes nothing
// Why        docs/adr/0029-hip-tables.md
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/status.h"
#include "capture/hip/hip_call_hooks.h"

namespace rtl::capture {

class HipTables {
 public:
  // True for "hip" and "hip_compiler".
  static bool IsOne(const char* name);
  // The names of the calls in hip_functions.inc, in the order of the indexes that a listener gets.
  static PreloadedCalls Functions();

  struct Entries {
    uint32_t known = 0;  // entries with a description
    uint32_t all = 0;
  };
  // True if another table of this name has been wrapped.
  static bool IsOfSecondCopy(const char* name, const void* table);
  // Ok for a usable table of this name, also for one that is wrapped already.
  static Status Check(const char* name, const void* table, Entries* out);
  // Wraps the entries for whose index `wanted` returns true. The wrappers report to `hooks`.
  // Entries without a description get wrappers that call `undescribed`, unless it is null. Check
  // must have accepted the table. Entries that are wrapped already are left alone.
  static void Wrap(const char* name, void* table, bool (*wanted)(uint32_t place),
                   const HipCallHooks& hooks, void (*undescribed)() = nullptr);
  // Restores HIP's own functions in the entries. An entry that another tool has changed since is
  // left alone; the wrapper below that tool passes calls on.
  static void Unwrap();
  // True if calls with this index come through a wrapped table.
  static bool IsWrapped(uint32_t place) {
    return any_.load(std::memory_order_relaxed) && IsEntryWrapped(place);
  }
  static void TEST_Forget();

 private:
  static bool IsEntryWrapped(uint32_t place);

  static inline constinit std::atomic<bool> any_{false};  // true before the first entry is wrapped
};

}  // namespace rtl::capture
