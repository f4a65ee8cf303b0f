// SPDX-License-Identifier: MIT
// Reads events of span kinds. Their tables are made from the same description
// (trace/schema/span_tables.h).
#include "trace/read/trace_reader.h"

namespace rtl::query {

Status TraceReader::EventsByStart(EventKind kind, EventCursor* out) {
  out->selection_ = selection_;
  const SpanKind* const span = FindSpanKind(kind);
  if (span == nullptr || !version_.HasTableOf(kind)) return Status::Ok();
  std::string sql =
      "SELECT e.id, p.process_id, p.pid, p.tid, p.name_id, p.origin + e.start, e.duration,"
      " e.correlation_id";
  for (uint32_t i = 0; i < span->field_count; ++i) {
    const EventField& field = span->fields[i];
    sql += std::string(", e.") + (field.form == FieldForm::kCall ? "args_id" : field.name);
  }
  sql += std::string(" FROM rtl_") + span->view +
         " e CROSS JOIN rtl_place p ON p.id = e.place ORDER BY 6, 7 DESC, 1";
  RTL_TRY(database_.Prepare(sql, &out->statement_));
  RTL_TRY(tables_.GpusOfAgents(&out->gpus_));
  std::vector<Queue> queues;
  RTL_TRY(tables_.Queues(&queues));
  for (const Queue& queue : queues) {
    out->queues_[{queue.process, static_cast<int64_t>(queue.hsa_id)}] = {queue.id, queue.gpu};
  }
  out->kind_ = span;
  return Status::Ok();
}

Status EventCursor::NextRow(EventRow* row, bool* has_row) {
  *has_row = false;
  if (kind_ == nullptr) return Status::Ok();
  RTL_TRY(statement_.Step(has_row));
  if (!*has_row) return Status::Ok();
  const Statement& s = statement_;
  *row = {};
  row->kind = kind_;
  row->id = s.Int(0);
  row->process = s.Int(1);
  row->pid = static_cast<uint32_t>(s.Int(2));
  row->tid = static_cast<uint32_t>(s.Int(3));
  row->name = s.Int(4);
  row->start = s.Unsigned(5);
  row->end = row->start + s.Unsigned(6);
  row->correlation = s.Unsigned(7);
  for (uint32_t i = 0; i < kind_->field_count; ++i) {
    const int column = 8 + static_cast<int>(i);
    if (s.IsNull(column)) continue;
    row->values[i] = s.Int(column);
    row->known |= uint32_t{1} << i;
    SetPlace(kind_->fields[i].form, row->values[i], row);
  }
  return Status::Ok();
}

void EventCursor::SetPlace(FieldForm form, int64_t value, EventRow* row) const {
  if (form == FieldForm::kAgent) {
    const auto gpu = gpus_.find({row->process, value});
    if (gpu != gpus_.end()) row->gpu = gpu->second;
  } else if (form == FieldForm::kQueue) {
    const auto queue =
        queues_.find({row->process, static_cast<int64_t>(static_cast<uint64_t>(value) - 1)});
    if (queue == queues_.end()) return;
    row->queue = queue->second.id;
    row->gpu = queue->second.gpu;
  }
}

}  // namespace rtl::query
