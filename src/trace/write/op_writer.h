// SPDX-License-Identifier: MIT
// op_writer.h: writes rows of rocpd_op of every kind. Fills in what the rows of a process have in
// common, counts the rows, and links GPU work to the call that submitted it.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "model/event_kinds.h"
#include "trace/schema/database.h"
#include "trace/write/bulk_tables.h"
#include "trace/write/call_writer.h"
#include "trace/write/continuation.h"
#include "trace/write/op_table.h"
#include "trace/write/traced_process.h"

namespace rtl::store {

class OpWriter {
 public:
  // `calls` must outlive this object. `earlier`: the state of a trace that is continued.
  Status Prepare(const Database& database, BulkTables* bulk, CallWriter* calls,
                 const Continuation& earlier);

  // Adds a row that has its times and everything that is special to its kind.
  Status Add(TracedProcess* process, EventKind kind, OpRow row);

  // Adds the GPU work that `record` describes. `kernel`: the name (a string's id) of the kernel
  // that the call launches; 0: none.
  template <typename Record>
  Status AddWork(TracedProcess* process, EventKind kind, const Record& record, OpRow row,
                 int64_t kernel = 0) {
    row.start = static_cast<int64_t>(record.start);
    row.end = static_cast<int64_t>(record.end);
    row.submit = static_cast<int64_t>(record.submitted);
    row.tid = record.head.thread;
    row.correlation = static_cast<int64_t>(record.correlation);
    RTL_TRY(Add(process, kind, row));
    return calls_->Link(process, kind, record.head.thread, record.correlation, last(), kernel);
  }

  int64_t last() const { return earlier_ + static_cast<int64_t>(rows_); }  // id of the last row
  // rows added by this object
  uint64_t rows() const { return rows_; }

 private:
  OpTable ops_;
  CallWriter* calls_ = nullptr;
  int64_t earlier_ = 0;
  uint64_t rows_ = 0;
};

}  // namespace rtl::store
