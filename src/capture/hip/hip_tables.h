// SPDX-License-Identifier: MIT
// hip_tables.h: the dispatch tables that HIP (6 and later) registers with rocprofiler-register, and
// functions of ours before their entries.
//
//   table          size_t: bytes of all of it, then one pointer per function
//   "hip"          442 functions in HIP 6.0, 474 in 6.4, 506 in 7.2
//   "hip_compiler" 9
//
// HIP adds entries at the end and never moves one, so a longer table than any that is described is
// taken as far as it is described. An entry may be null: some functions are declared only.
//
// Threads    Check, Wrap: one at a time. The entries: the application's, any
// Blocking   never
// Memory     constant tables, and the pointers that were in the entries; one table of each kind
// Errors     Check says what is wrong with a table; nothing has been changed then
// Why        docs/adr/0029-hip-tables.md
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "capture/hip/preload_door.h"

namespace rtl::capture {

class HipTables {
 public:
  // "hip" and "hip_compiler".
  static bool IsOne(const char* name);
  // Of hip_functions.inc: the names of the calls, by the places that a door is told.
  static PreloadedCalls Functions();

  struct Entries {
    uint32_t known = 0;  // that are described
    uint32_t all = 0;
  };
  // A table of this name that can be taken. Also one that was taken before.
  static Status Check(const char* name, const void* table, Entries* out);
  // Puts functions before those entries whose place is `wanted`; they tell `door`. Of a table that
  // Check has let pass. Again on the same table: nothing.
  static void Wrap(const char* name, void* table, bool (*wanted)(uint32_t place),
                   const PreloadDoor& door);
  // HIP's own calls of this place come through a table.
  static bool IsWrapped(uint32_t place);
  // For tests: as if none had been taken.
  static void TEST_Forget();
};

}  // namespace rtl::capture
