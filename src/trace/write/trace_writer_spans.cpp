// SPDX-License-Identifier: MIT
// The part of the trace writer that keeps events of span kinds.
#include "trace/write/trace_writer.h"

namespace rtl::store {

Status TraceWriter::AddEvent(Process& process, const EventRecord& record, std::string_view text) {
  if (!SpanTables::IsSound(record, text)) {
    ++process.rejected;
    return Status::Ok();
  }
  if (!Plausible(process, record.start, record.end)) return Status::Ok();
  RTL_TRY(spans_.Add({process.row, process.info.pid, process.info.rank, process.info.opened},
                     record, text));
  ++process.recorded[static_cast<size_t>(record.kind)];
  return Status::Ok();
}

}  // namespace rtl::store
