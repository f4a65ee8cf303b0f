// SPDX-License-Identifier: MIT
// The part of the trace writer for marks and ranges.
#include <algorithm>

#include "trace/schema/schema.h"
#include "trace/write/trace_writer.h"

namespace rtl::store {

Status TraceWriter::AddMark(Process& process, const MarkRecord& record, std::string_view text) {
  if (!Plausible(process, record.time, record.time)) return Status::Ok();
  MarkerSpan mark;
  mark.start = record.time;
  mark.end = record.time;
  mark.thread = record.head.thread;
  mark.flags = kOpFlagMark;
  if ((record.flags & kTextFlagTruncated) != 0) mark.flags |= kOpFlagTruncated;
  RTL_TRY(strings_.Intern(text, &mark.text_id));
  return WriteMarker(process, mark);
}

Status TraceWriter::AddRangeBegin(Process& process, const RangeBeginRecord& record,
                                  std::string_view text) {
  if (!Plausible(process, record.time, record.time)) return Status::Ok();
  MarkerSpan begin;
  begin.start = record.time;
  begin.thread = record.head.thread;
  if ((record.flags & kTextFlagTruncated) != 0) begin.flags |= kOpFlagTruncated;
  RTL_TRY(strings_.Intern(text, &begin.text_id));
  if (record.head.type == RecordType::kRangePush) {
    process.markers.Push(begin);
  } else {
    begin.range = record.range;
    process.markers.Start(begin, (record.flags & kRangeFlagPushed) != 0);
  }
  return process.failure;
}

void TraceWriter::AddRangeEnd(Process& process, const RangeEndRecord& record) {
  if (record.time > static_cast<uint64_t>(INT64_MAX)) return;
  process.last_time = std::max(process.last_time, record.time);
  if (record.head.type == RecordType::kRangePop) {
    process.markers.Pop(record.head.thread, record.time);
  } else {
    process.markers.Stop(record.range, record.time);
  }
}

Status TraceWriter::WriteMarker(Process& process, const MarkerSpan& span) {
  OpRow row;
  row.is_marker = true;
  row.gpu = -1;
  row.start = static_cast<int64_t>(span.start);
  row.end = static_cast<int64_t>(span.end);
  row.description = span.text_id;
  row.op_type = marker_type_;
  row.roctx = static_cast<int64_t>(span.range);
  SetProcess(process, &row);
  row.tid = span.thread;
  row.flags = span.flags;
  RTL_TRY(AddRow(process, row));
  ++process.recorded[static_cast<size_t>(EventKind::kMarker)];
  return Status::Ok();
}

}  // namespace rtl::store
