// SPDX-License-Identifier: MIT
#include "trace/write/marker_writer.h"

#include <algorithm>
#include <string>

#include "trace/schema/schema.h"

namespace rtl::store {

Status MarkerWriter::Prepare(Strings* strings, OpWriter* ops) {
  strings_ = strings;
  ops_ = ops;
  return strings->Intern(kOpTypeMarker, &type_);
}

Status MarkerWriter::Intern(uint32_t text_flags, std::string_view text, MarkerSpan* span) {
  if ((text_flags & kTextFlagTruncated) != 0) span->flags |= kOpFlagTruncated;
  return strings_->Intern(text, &span->text_id);
}

Status MarkerWriter::Add(TracedProcess* process, const MarkRecord& record, std::string_view text) {
  if (!process->Plausible(record.time, record.time)) return Status::Ok();
  MarkerSpan mark = {
      .start = record.time, .end = record.time, .thread = record.head.thread, .flags = kOpFlagMark};
  RTL_TRY(Intern(record.flags, text, &mark));
  return Write(process, mark);
}

Status MarkerWriter::Begin(TracedProcess* process, const RangeBeginRecord& record,
                           std::string_view text) {
  if (!process->Plausible(record.time, record.time)) return Status::Ok();
  MarkerSpan begin = {.start = record.time, .thread = record.head.thread};
  RTL_TRY(Intern(record.flags, text, &begin));
  if (record.head.type == RecordType::kRangePush) {
    process->markers.Push(begin);
  } else {
    begin.range = record.range;
    process->markers.Start(begin, (record.flags & kRangeFlagPushed) != 0);
  }
  return process->failure;
}

Status MarkerWriter::End(TracedProcess* process, const RangeEndRecord& record) {
  if (record.time > static_cast<uint64_t>(INT64_MAX)) return process->failure;
  process->last_time = std::max(process->last_time, record.time);
  if (record.head.type == RecordType::kRangePop) {
    process->markers.Pop(record.head.thread, record.time);
  } else {
    process->markers.Stop(record.range, record.time);
  }
  return process->failure;
}

Status MarkerWriter::EndProcess(TracedProcess* process, uint64_t ended) {
  const uint64_t orphans = process->markers.orphans();
  if (orphans != 0) {
    process->warnings.push_back("process " + std::to_string(process->info.pid) + ": " +
                                std::to_string(orphans) +
                                " ends of roctx ranges had no beginning and were ignored");
  }
  process->markers.End(ended);
  return process->failure;
}

void MarkerWriter::Emit(TracedProcess* process, const MarkerSpan& span) {
  const Status written = Write(process, span);
  if (!written.ok() && process->failure.ok()) process->failure = written;
}

Status MarkerWriter::Write(TracedProcess* process, const MarkerSpan& span) {
  OpRow row;
  row.is_marker = true;
  row.gpu = -1;
  row.start = static_cast<int64_t>(span.start);
  row.end = static_cast<int64_t>(span.end);
  row.description = span.text_id;
  row.op_type = type_;
  row.roctx = static_cast<int64_t>(span.range);
  row.tid = span.thread;
  row.flags = span.flags;
  return ops_->Add(process, EventKind::kMarker, row);
}

}  // namespace rtl::store
