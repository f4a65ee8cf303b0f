// SPDX-License-Identifier: MIT
// call_writer.h: writes calls of HIP and of HIP's compiler, and links GPU work to the call that
// submitted it.
//
// Memory     what CallTable and CallArguments hold
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "model/event_kinds.h"
#include "model/records.h"
#include "spool/record_view.h"
#include "trace/schema/database.h"
#include "trace/schema/strings.h"
#include "trace/write/api_details.h"
#include "trace/write/bulk_tables.h"
#include "trace/write/call_arguments.h"
#include "trace/write/call_table.h"
#include "trace/write/recent_calls.h"
#include "trace/write/traced_process.h"

namespace rtl::store {

class CallWriter {
 public:
  Status Prepare(const Database& database, BulkTables* bulk, Strings* strings,
                 int64_t unknown_kernel, CallTable::Last last, size_t most_held);

  Status Add(TracedProcess* process, const spool::RecordView& view);
  // `op`: rtl_op.id of GPU work that was just added. `kernel`: the name (a string's id) of the
  // kernel that the call launches; 0: none.
  Status Link(TracedProcess* process, EventKind kind, uint32_t thread, uint64_t correlation,
              int64_t op, int64_t kernel = 0);
  // The site (rtl_call_site.id) of a call; 0 if no such call was added.
  Status FindSite(int64_t api, int64_t* site) { return calls_.FindSite(api, site); }
  // Called when no further call or operation will come.
  Status Settle() { return calls_.Settle(); }

 private:
  Status Name(TracedProcess* process, uint32_t api, int64_t* id);
  Status Plan(TracedProcess* process, const spool::RecordView& view, RecentCalls::Plan* plan,
              const CopyDetails** copy);

  Strings* strings_ = nullptr;
  CallArguments arguments_;
  RecentCalls recent_;
  CallTable calls_;
  Statement copy_call_;
};

// The kinds of GPU work that calls submit.
inline constexpr EventKind kWithCalls[] = {EventKind::kKernel, EventKind::kCopy,
                                           EventKind::kBarrier};

// Returns the GPU work of the process that has no call, and warns about it.
TracedProcess::Unlinked WarnOfUnlinked(TracedProcess* process);

}  // namespace rtl::store
