// SPDX-License-Identifier: MIT
#include "sdk/tracer.h"

#include <rocprofiler-sdk/buffer_tracing.h>
#include <stdlib.h>
#include <string.h>

namespace rtl::sdk {
namespace {

// Kernels as the trace's default mode sees them; calls of HIP are not asked for.
Status ReadConfig(Config* out) {
  const Status status = Config::FromEnvironment(out);
  if (out->mode == Mode::kHip) out->mode = Mode::kAuto;
  out->barriers = false;  // of no service
  return status;
}

uint32_t BufferKindOf(EventKind kind) {
  switch (kind) {
    case EventKind::kKernel:
      return ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH;
    case EventKind::kCopy:
      return ROCPROFILER_BUFFER_TRACING_MEMORY_COPY;
    default:
      return ROCPROFILER_BUFFER_TRACING_NONE;
  }
}

template <typename T>
T Read(const void* record) {
  T value;
  memcpy(&value, record, sizeof value);
  return value;
}

}  // namespace

Tracer::Tracer(Contexts* contexts, const Topology* topology)
    : contexts_(contexts),
      topology_(topology),
      code_objects_(contexts, this),
      session_(this, ReadConfig) {
  session_.Watch(&code_objects_);
}

Status Tracer::Open(const Config& config) { return Status::Ok(); }

capture::CaptureCounters Tracer::counters() {
  return {&counters_[kSignalsMade], &counters_[kSignalsGone], &counters_[kQueuesMade],
          &counters_[kQueuesGone],  &counters_[kOther],       &counters_[kCalls]};
}

rocprofiler_agent_id_t Tracer::AgentOf(uint32_t number) const {
  if (number > kMostAgents) return {};
  return {agents_[number].load(std::memory_order_relaxed)};  // written before the first dispatch
}

bool Tracer::Write(const void* record, size_t bytes, const char* text, size_t text_bytes) {
  switch (static_cast<const RecordHeader*>(record)->type) {
    case RecordType::kAgent: {
      const auto agent = Read<AgentRecord>(record);
      if (agent.agent <= kMostAgents)
        agents_[agent.agent].store(AgentAt(agent.node).handle, std::memory_order_relaxed);
      break;
    }
    case RecordType::kQueue:
      NoteQueue(Read<QueueRecord>(record));
      break;
    case RecordType::kKernel:
      code_objects_.Note(Read<KernelRecord>(record), text);
      break;
    case RecordType::kDispatch:
      Dispatched(Read<DispatchRecord>(record));
      break;
    case RecordType::kCopy:
      Copied(Read<CopyRecord>(record));
      break;
    default:
      break;  // of no service
  }
  return true;  // a buffer without room counts by itself
}

void Tracer::NoteQueue(const QueueRecord& record) {
  const MutexLock lock(mutex_);
  if (record.queue >= queue_room_) {
    const uint32_t room = record.queue + 64;
    void* const grown = realloc(queues_, room * sizeof(Queue));
    if (grown == nullptr) return;  // its dispatches say queue and agent zero
    queues_ = static_cast<Queue*>(grown);
    memset(queues_ + queue_room_, 0, (room - queue_room_) * sizeof(Queue));
    queue_room_ = room;
  }
  queues_[record.queue] = {record.hsa_id, record.agent};
}

Tracer::Queue Tracer::QueueOf(uint32_t number) {
  const MutexLock lock(mutex_);
  return number < queue_room_ ? queues_[number] : Queue{};
}

void Tracer::Dispatched(const DispatchRecord& from) {
  const Queue queue = QueueOf(from.queue);
  rocprofiler_buffer_tracing_kernel_dispatch_record_t record = {};
  record.size = sizeof record;
  record.kind = ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH;
  record.operation = ROCPROFILER_KERNEL_DISPATCH_COMPLETE;
  record.correlation_id.internal = from.correlation;
  record.thread_id = from.head.thread;
  record.start_timestamp = from.start;
  record.end_timestamp = from.end;
  rocprofiler_kernel_dispatch_info_t& info = record.dispatch_info;
  info.size = offsetof(rocprofiler_kernel_dispatch_info_t, reserved_padding);
  info.agent_id = AgentOf(queue.agent);
  info.queue_id.handle = queue.hsa_id;
  info.kernel_id = from.kernel;
  info.dispatch_id = from.dispatch;
  info.private_segment_size = from.private_segment;
  info.group_segment_size = from.group_segment;
  info.workgroup_size = {from.workgroup[0], from.workgroup[1], from.workgroup[2]};
  info.grid_size = {from.grid[0], from.grid[1], from.grid[2]};
  Deliver(record.kind, record.operation, from.submitted, &record, sizeof record);
}

void Tracer::Copied(const CopyRecord& from) {
  rocprofiler_buffer_tracing_memory_copy_record_t record = {};
  record.size = sizeof record;
  record.kind = ROCPROFILER_BUFFER_TRACING_MEMORY_COPY;
  // The same numbers.
  record.operation = static_cast<rocprofiler_memory_copy_operation_t>(from.kind);
  record.correlation_id.internal = from.correlation;
  record.thread_id = from.head.thread;
  record.start_timestamp = from.start;
  record.end_timestamp = from.end;
  record.dst_agent_id = AgentOf(from.dst_agent);
  record.src_agent_id = AgentOf(from.src_agent);
  record.bytes = from.bytes;
  record.dst_address.value = from.dst;
  record.src_address.value = from.src;
  Deliver(record.kind, record.operation, from.submitted, &record, sizeof record);
}

void Tracer::Deliver(uint32_t kind, int32_t operation, uint64_t submitted, const void* record,
                     size_t bytes) {
  const uint32_t count = contexts_->count();
  for (uint32_t i = 0; i < count; ++i) {
    const Context& context = contexts_->at(i);
    const BufferService& service = context.buffers[kind];
    if (service.buffer == nullptr || !service.operations.Has(operation)) continue;
    switch (context.WasActive(submitted)) {
      case Context::When::kInside:
        service.buffer->Append(kind, record, bytes);
        break;
      case Context::When::kForgotten:
        service.buffer->CountDropped(1);
        break;
      case Context::When::kOutside:
        break;
    }
  }
}

void Tracer::CountLoss(EventKind kind, Loss why, uint64_t events) {
  const uint32_t buffer_kind = BufferKindOf(kind);
  const uint32_t count = contexts_->count();
  for (uint32_t i = 0; i < count; ++i) {
    const Context& context = contexts_->at(i);
    Buffer* const buffer = context.buffers[buffer_kind].buffer;
    if (buffer != nullptr && context.active()) buffer->CountDropped(events);
  }
}

}  // namespace rtl::sdk
