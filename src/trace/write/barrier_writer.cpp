// SPDX-License-Identifier: MIT
#include "trace/write/barrier_writer.h"

#include "trace/schema/tables.h"

namespace rtl::store {
namespace {

bool IsComplete(TracedProcess* process, const BarrierRecord& record) {
  const StoredQueue* const queue = process->FindQueue(record.queue);
  return queue != nullptr && queue->agent != nullptr;
}

}  // namespace

Status BarrierWriter::Prepare(const Database& database, Strings* strings, OpWriter* ops,
                              const Chooser* chooser) {
  strings_ = strings;
  ops_ = ops;
  chooser_ = chooser;
  return barrier_.Prepare(database, InsertSql(kBarrierTableDescription));
}

Status BarrierWriter::Add(TracedProcess* process, const BarrierRecord& record) {
  if (!process->Plausible(record.start, record.end)) return Status::Ok();
  if (!IsComplete(process, record) && process->held_barriers.Hold(record)) return Status::Ok();
  return Write(process, record);
}

Status BarrierWriter::Settle(TracedProcess* process, bool is_end) {
  return process->held_barriers.Release(
      [&](const BarrierRecord& record) { return is_end || IsComplete(process, record); },
      [&](const BarrierRecord& record) { return Write(process, record); });
}

Status BarrierWriter::Write(TracedProcess* process, const BarrierRecord& record) {
  const size_t named = static_cast<size_t>(record.kind);
  const size_t kind = named < std::size(names_) ? named : 0;
  if (type_ == 0) RTL_TRY(strings_->Intern(kOpTypeBarrier, &type_));
  int64_t& name = names_[kind];
  if (name == 0) RTL_TRY(strings_->Intern(kBarrierNames[kind], &name));
  OpRow row;
  if (const StoredQueue* const queue = process->FindQueue(record.queue)) {
    row.queue = queue->row;
    if (queue->agent != nullptr) row.gpu = queue->agent->gpu;
  }
  if (!chooser_->TakesGpu(row.gpu)) {
    process->CountLeftOut(EventKind::kBarrier);
    return Status::Ok();
  }
  row.sequence = static_cast<int64_t>(record.barrier);
  row.description = name;
  row.op_type = type_;
  row.packet = static_cast<int64_t>(record.packet);
  row.flags = record.flags;
  RTL_TRY(ops_->AddWork(process, EventKind::kBarrier, record, row));
  return barrier_.Add(BarrierTable{.op = ops_->last(),
                                   .process = process->row,
                                   .pid = process->info.pid,
                                   .kind = static_cast<uint32_t>(kind),
                                   .dependencies = record.dependencies});
}

}  // namespace rtl::store
