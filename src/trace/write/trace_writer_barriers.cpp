// SPDX-License-Identifier: MIT
// The part of the trace writer for barrier packets.
#include "trace/schema/schema.h"
#include "trace/schema/tables.h"
#include "trace/write/trace_writer.h"

namespace rtl::store {

Status TraceWriter::AddBarrier(Process& process, const BarrierRecord& record) {
  if (!Plausible(process, record.start, record.end)) return Status::Ok();
  if (FindQueue(process, record.queue) == nullptr &&
      process.pending_barriers.size() < kMaxPending) {
    process.pending_barriers.push_back(record);
    return Status::Ok();
  }
  return WriteBarrier(process, record);
}

Status TraceWriter::WriteBarrier(Process& process, const BarrierRecord& record) {
  const size_t named = static_cast<size_t>(record.kind);
  const size_t kind = named < std::size(kBarrierNames) ? named : 0;
  if (barrier_type_ == 0) RTL_TRY(strings_.Intern(kOpTypeBarrier, &barrier_type_));
  int64_t& name = barrier_names_[kind];
  if (name == 0) RTL_TRY(strings_.Intern(kBarrierNames[kind], &name));
  OpRow row;
  const auto queue = process.queues.find(record.queue);
  if (queue != process.queues.end()) {
    row.queue = queue->second.row;
    const auto agent = process.agents.find(queue->second.record.agent);
    if (agent != process.agents.end()) row.gpu = agent->second.gpu;
  }
  if (!chooser_.TakesGpu(row.gpu)) {
    LeaveOut(process, EventKind::kBarrier);
    return Status::Ok();
  }
  row.sequence = static_cast<int64_t>(record.barrier);
  row.description = name;
  row.op_type = barrier_type_;
  SetProcess(process, &row);
  SetTimes(record, &row);
  row.packet = static_cast<int64_t>(record.packet);
  row.flags = record.flags;
  RTL_TRY(ops_.Add(row));
  ++rows_;
  ++process.recorded[static_cast<size_t>(EventKind::kBarrier)];
  RTL_TRY(LinkToCall(process, EventKind::kBarrier, record.head.thread, record.correlation));
  return barrier_.Add(BarrierTable{.op = earlier_.ops + static_cast<int64_t>(rows_),
                                   .process = process.row,
                                   .pid = process.info.pid,
                                   .kind = static_cast<uint32_t>(kind),
                                   .dependencies = record.dependencies});
}

}  // namespace rtl::store
