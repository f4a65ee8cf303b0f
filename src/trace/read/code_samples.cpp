// SPDX-License-Identifier: MIT
// The part of TraceReader for PC samples.
#include "trace/read/trace_reader.h"

namespace rtl::query {

Status TraceReader::OpenSamples(const char* order, SampleCursor* out) {
  constexpr char kColumns[] =
      "SELECT id, process_id, coalesce(dispatch, 0), coalesce(kernel_id, 0), time,"
      " coalesce(code_object_id, 0), offset, exec_mask, agent, workgroupX, workgroupY, workgroupZ,"
      " wave, chiplet, hw_id, queue_id, coalesce(correlation, 0) FROM rtl_pc_sample ORDER BY ";
  out->selection_ = selection_;
  bool has_samples = false;  // true for a program that was sampled
  RTL_TRY(database_.HasTable("rtl_pc_sample", &has_samples));
  const std::string sql = has_samples ? std::string(kColumns) + order : "SELECT 1 WHERE 0";
  return out->statement_.Prepare(database_.connection(), database_.shown(), sql.c_str());
}

Status TraceReader::Samples(SampleCursor* out) { return OpenSamples("id", out); }

Status TraceReader::SamplesByTime(SampleCursor* out) { return OpenSamples("time, id", out); }

Status SampleCursor::NextRow(SampleRow* row, bool* has_row) {
  RTL_TRY(statement_.Step(has_row));
  if (!*has_row) return Status::Ok();
  row->id = statement_.Int(0);
  row->process = statement_.Int(1);
  row->dispatch = statement_.Unsigned(2);
  row->kernel = statement_.Int(3);
  row->time = statement_.Unsigned(4);
  row->code_object = statement_.Int(5);
  row->offset = statement_.Unsigned(6);
  row->exec_mask = statement_.Unsigned(7);
  row->agent = static_cast<uint32_t>(statement_.Int(8));
  for (int i = 0; i < 3; ++i) row->workgroup[i] = static_cast<uint32_t>(statement_.Int(9 + i));
  row->wave = static_cast<uint32_t>(statement_.Int(12));
  row->chiplet = static_cast<uint32_t>(statement_.Int(13));
  row->hw_id = static_cast<uint32_t>(statement_.Int(14));
  row->queue = statement_.Int(15);
  row->correlation = statement_.Unsigned(16);
  return Status::Ok();
}

}  // namespace rtl::query
