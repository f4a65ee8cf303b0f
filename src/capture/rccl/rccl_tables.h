// SPDX-License-Identifier: MIT
// rccl_tables.h: the dispatch table that RCCL registers with rocprofiler-register, where it is built
// so, and functions of ours before its entries.
//
//   table    size_t: bytes of all of it, then one pointer per function, in the order of
//            rccl_functions.inc. RCCL adds entries at the end and never moves one
//
// Threads    Wrap: one at a time. The entries: the application's, any
// Memory     constant functions, and the pointers that were in the entries; one table
// Why        docs/adr/0078-rccl.md
#pragma once

#include "base/status.h"
#include "capture/rccl/rccl_function.h"

namespace rtl::capture {

class RcclTables {
 public:
  // Again on the same table: nothing. An error: nothing has been changed.
  static Status Wrap(void* table, const RcclDoor* door);
  // For tests: as if none had been taken.
  static void TEST_Forget();
};

}  // namespace rtl::capture
