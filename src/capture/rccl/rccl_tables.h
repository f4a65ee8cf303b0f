// SPDX-License-Identifier: MIT
// rccl_tables.h: the dispatch table that some builds of RCCL register with rocprofiler-register,
// and wrappers of its entries.
//
//   table    size_t: size of the table in bytes, then one pointer per function, in the order of
//            rccl_functions.inc. RCCL adds entries at the end and never moves one
//
// Threads    Wrap: one at a time. The wrappers: any thread of the application
// Memory     constant functions, and the former pointers of the entries of one table
// Why        docs/adr/0078-rccl.md
#pragma once

#include "base/status.h"
#include "capture/rccl/rccl_function.h"

namespace rtl::capture {

class RcclTables {
 public:
  // Wraps the entries of the table. If the table is wrapped already, does nothing. On an error
  // nothing has changed.
  static Status Wrap(void* table, const RcclCallHooks* hooks);
  static void TEST_Forget();
};

}  // namespace rtl::capture
