// SPDX-License-Identifier: MIT
// calls_by_number.h: finds facts about a call by its number: its stream, and how much work it
// launched.
//
// Threads    one
// Blocking   file I/O
// Memory     for Works: one byte per call, bounded by the size of the file
#pragma once

#include <cstdint>

#include "base/status.h"
#include "trace/read/rows.h"
#include "trace/read/statement.h"
#include "trace/read/trace_database.h"

namespace rtl::query {

class CallsByNumber {
 public:
  explicit CallsByNumber(const TraceDatabase* database) : database_(*database) {}

  // The greatest ApiRow::id; 0 if there are no calls.
  Status Last(uint64_t* out) const;
  // The greatest correlation id, 0 when there are none.
  Status LastCorrelation(uint64_t* out) const;
  // The stream of the call with this correlation id. *found is false if there is no such call, or
  // if it uses no stream.
  Status StreamOf(int64_t process, uint64_t correlation, StreamUse* out, bool* found);
  Status Works(WorkOfCalls* out) const;

 private:
  const TraceDatabase& database_;
  Statement stream_by_id_;  // prepared when first used
};

}  // namespace rtl::query
