// SPDX-License-Identifier: MIT
// hip_tables.h: the dispatch tables that HIP (6 and later) registers with rocprofiler-register, and
// our wrappers of their entries.
//
//   table          size_t: size of the table in bytes, then one pointer per function
//   "hip"          442 functions in HIP 6.0, 474 in 6.4, 506 in 7.2, 541 in 7.14
//   "hip_compiler" 9
//
// HIP adds entries at the end and never moves one, so a table that is longer than any described one
// is used as far as it is described; calls of the rest are counted. An entry may be null: some
// functions are declared only.
//
// Threads    Check, Wrap: one at a time. The entries: the application's, any
// Blocking   never
// Memory     constant tables, and the former pointers of the entries; one table of each kind
// Errors     Check reports what is wrong with a table; nothing has changed then
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
  // "hip" and "hip_compiler".
  static bool IsOne(const char* name);
  // The names of the calls in hip_functions.inc, by the indexes that a listener gets.
  static PreloadedCalls Functions();

  struct Entries {
    uint32_t known = 0;  // with a description
    uint32_t all = 0;
  };
  // True if another table of this name has been wrapped.
  static bool IsOfSecondCopy(const char* name, const void* table);
  // True for a usable table of this name. Also for one that was wrapped before.
  static Status Check(const char* name, const void* table, Entries* out);
  // Wraps the entries with `wanted` indexes; the wrappers report to `hooks`. Entries that are not
  // described get wrappers that call `undescribed`; null: they stay. Check must have accepted the
  // table. Does nothing for entries that are wrapped already.
  static void Wrap(const char* name, void* table, bool (*wanted)(uint32_t place),
                   const HipCallHooks& hooks, void (*undescribed)() = nullptr);
  // The entries are HIP's own again. One that another tool has changed since keeps its wrapper,
  // which passes calls on.
  static void Unwrap();
  // True if calls with this index come through a table.
  static bool IsWrapped(uint32_t place) {
    return any_.load(std::memory_order_relaxed) && IsEntryWrapped(place);
  }
  // For tests: forgets the tables.
  static void TEST_Forget();

 private:
  static bool IsEntryWrapped(uint32_t place);

  static inline constinit std::atomic<bool> any_{false};  // set before the first entry
};

}  // namespace rtl::capture
