// SPDX-License-Identifier: MIT
#include "trace/write/op_writer.h"

namespace rtl::store {

Status OpWriter::Prepare(const Database& database, BulkTables* bulk, CallWriter* calls,
                         const Continuation& earlier) {
  calls_ = calls;
  earlier_ = earlier.ops;
  return ops_.Prepare(database, bulk, earlier.ops, earlier.launches);
}

Status OpWriter::Add(TracedProcess* process, EventKind kind, OpRow row) {
  row.process = process->row;
  row.pid = process->info.pid;
  row.rank = process->info.rank;
  row.opened = static_cast<int64_t>(process->info.opened);
  RTL_TRY(ops_.Add(row));
  ++rows_;
  ++process->rows;
  process->CountRecorded(kind);
  return Status::Ok();
}

}  // namespace rtl::store
