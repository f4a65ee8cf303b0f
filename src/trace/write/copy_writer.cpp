// SPDX-License-Identifier: MIT
#include "trace/write/copy_writer.h"

#include "trace/schema/tables.h"

namespace rtl::store {
namespace {

bool IsComplete(const TracedProcess& process, const CopyRecord& record) {
  return (record.dst_agent == 0 || process.agents.contains(record.dst_agent)) &&
         (record.src_agent == 0 || process.agents.contains(record.src_agent));
}

int64_t GpuOf(const TracedProcess& process, uint32_t number) {
  const auto agent = process.agents.find(number);
  const bool is_gpu = agent != process.agents.end() && agent->second.is_gpu != 0;
  return is_gpu ? static_cast<int64_t>(agent->second.gpu) : -1;
}

}  // namespace

Status CopyWriter::Prepare(const Database& database, Strings* strings, OpWriter* ops,
                           const Chooser* chooser) {
  strings_ = strings;
  ops_ = ops;
  chooser_ = chooser;
  return copy_.Prepare(database, InsertSql(kCopyTableDescription));
}

Status CopyWriter::Add(TracedProcess* process, const CopyRecord& record) {
  if (!process->Plausible(record.start, record.end)) return Status::Ok();
  if (!IsComplete(*process, record) && process->held_copies.Hold(record)) return Status::Ok();
  return Write(process, record);
}

Status CopyWriter::Settle(TracedProcess* process, bool is_end) {
  return process->held_copies.Release(
      [&](const CopyRecord& record) { return is_end || IsComplete(*process, record); },
      [&](const CopyRecord& record) { return Write(process, record); });
}

Status CopyWriter::Write(TracedProcess* process, const CopyRecord& record) {
  const int64_t dst_gpu = GpuOf(*process, record.dst_agent);
  const int64_t src_gpu = GpuOf(*process, record.src_agent);
  if (!chooser_->TakesGpu(dst_gpu) && !chooser_->TakesGpu(src_gpu)) {
    process->CountLeftOut(EventKind::kCopy);
    return Status::Ok();
  }
  const size_t named = static_cast<size_t>(record.kind);
  const size_t kind = named < std::size(types_) ? named : 0;
  int64_t& type = types_[kind];
  if (type == 0) RTL_TRY(strings_->Intern(kOpTypeCopies[kind], &type));
  OpRow row;
  row.gpu = dst_gpu >= 0 ? dst_gpu : src_gpu;
  row.sequence = static_cast<int64_t>(record.copy);
  row.description = row.op_type = type;
  RTL_TRY(ops_->AddWork(process, EventKind::kCopy, record, row));
  CopyTable copy;
  TakeFields(record, &copy);
  copy.op = ops_->last();
  copy.process = process->row;
  copy.pid = process->info.pid;
  copy.kind = static_cast<uint32_t>(kind);
  copy.dst_gpu = static_cast<int32_t>(dst_gpu);
  copy.src_gpu = static_cast<int32_t>(src_gpu);
  return copy_.Add(copy);
}

}  // namespace rtl::store
