// SPDX-License-Identifier: MIT
// The part of the trace writer for memory copies.
#include "trace/schema/schema.h"
#include "trace/schema/tables.h"
#include "trace/write/trace_writer.h"

namespace rtl::store {

bool TraceWriter::AgentsKnown(const Process& process, const CopyRecord& record) {
  return (record.dst_agent == 0 || process.agents.contains(record.dst_agent)) &&
         (record.src_agent == 0 || process.agents.contains(record.src_agent));
}

Status TraceWriter::AddCopy(Process& process, const CopyRecord& record) {
  if (!Plausible(process, record.start, record.end)) return Status::Ok();
  if (!AgentsKnown(process, record) && process.pending_copies.size() < kMaxPending) {
    process.pending_copies.push_back(record);
    return Status::Ok();
  }
  return WriteCopy(process, record);
}

Status TraceWriter::WriteCopy(Process& process, const CopyRecord& record) {
  const auto gpu_of = [&](uint32_t number) -> int64_t {
    const auto agent = process.agents.find(number);
    return agent != process.agents.end() && agent->second.is_gpu != 0
               ? static_cast<int64_t>(agent->second.gpu)
               : -1;
  };
  const int64_t dst_gpu = gpu_of(record.dst_agent);
  const int64_t src_gpu = gpu_of(record.src_agent);
  if (!chooser_.TakesGpu(dst_gpu) && !chooser_.TakesGpu(src_gpu)) {
    LeaveOut(process, EventKind::kCopy);
    return Status::Ok();
  }
  const size_t named = static_cast<size_t>(record.kind);
  const size_t kind = named < std::size(copy_types_) ? named : 0;
  int64_t& type = copy_types_[kind];
  if (type == 0) RTL_TRY(strings_.Intern(kOpTypeCopies[kind], &type));
  OpRow row;
  row.gpu = dst_gpu >= 0 ? dst_gpu : src_gpu;
  row.sequence = static_cast<int64_t>(record.copy);
  row.description = row.op_type = type;
  SetProcess(process, &row);
  SetTimes(record, &row);
  RTL_TRY(AddRow(process, row));
  ++process.recorded[static_cast<size_t>(EventKind::kCopy)];
  RTL_TRY(LinkToCall(process, EventKind::kCopy, record.head.thread, record.correlation));
  CopyTable copy;
  TakeFields(record, &copy);
  copy.op = earlier_.ops + static_cast<int64_t>(rows_);
  copy.process = process.row;
  copy.pid = process.info.pid;
  copy.kind = static_cast<uint32_t>(kind);
  copy.dst_gpu = static_cast<int32_t>(dst_gpu);
  copy.src_gpu = static_cast<int32_t>(src_gpu);
  return copy_.Add(copy);
}

}  // namespace rtl::store
