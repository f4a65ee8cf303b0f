// SPDX-License-Identifier: MIT
// The part of TraceReader for PC samples.
#include "trace/read/trace_reader.h"

namespace rtl::query {

Status TraceReader::OpenSamples(const char* order, SampleCursor* out) {
  constexpr char kColumns[] =
      "SELECT id, process_id, coalesce(dispatch, 0), coalesce(kernel_id, 0), time,"
      " coalesce(code_object_id, 0), offset, exec_mask, agent, workgroupX, workgroupY, workgroupZ,"
      " wave, chiplet, hw_id, queue_id, coalesce(correlation, 0) FROM rtl_pc_sample ORDER BY ";
  bool has_samples = false;  // true for a program that was sampled
  RTL_TRY(database_.HasTable("rtl_pc_sample", &has_samples));
  return has_samples ? OpenSelect(std::string(kColumns) + order, out) : Status::Ok();
}

Status TraceReader::Samples(SampleCursor* out) { return OpenSamples("id", out); }

Status TraceReader::SamplesByTime(SampleCursor* out) { return OpenSamples("time, id", out); }

void FillRow(const Statement& s, SampleRow* row) {
  row->id = s.Int(0);
  row->process = s.Int(1);
  row->dispatch = s.Unsigned(2);
  row->kernel = s.Int(3);
  row->time = s.Unsigned(4);
  row->code_object = s.Int(5);
  row->offset = s.Unsigned(6);
  row->exec_mask = s.Unsigned(7);
  row->agent = Narrow(s.Int(8));
  for (int i = 0; i < 3; ++i) row->workgroup[i] = Narrow(s.Int(9 + i));
  row->wave = Narrow(s.Int(12));
  row->chiplet = Narrow(s.Int(13));
  row->hw_id = Narrow(s.Int(14));
  row->queue = s.Int(15);
  row->correlation = s.Unsigned(16);
}

}  // namespace rtl::query
