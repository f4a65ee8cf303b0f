// SPDX-License-Identifier: MIT
#include "sdk/memory/scratch_memory.h"

#include <rocprofiler-sdk/buffer_tracing.h>
#include <unistd.h>

#include "base/log.h"
#include "base/self_kept_clock.h"
#include "base/thread_state.h"

namespace rtl::sdk {

namespace scratch_hooks = capture::scratch_hooks;

namespace {

using ToolOperation = rocprofiler_scratch_memory_operation_t;

constexpr uint32_t kScratchCallbacks = ROCPROFILER_CALLBACK_TRACING_SCRATCH_MEMORY;
constexpr uint32_t kScratchRecords = ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY;
constexpr auto kScratchRequests = ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_SCRATCH_MEMORY;

// Describes the event like an API function.
constexpr ApiFunction FunctionOf(ToolOperation operation) {
  return {kScratchCallbacks, kScratchRecords, operation, 0, kScratchRequests};
}

// The interface has an operation NONE before the operations that the trace has, too.
constexpr ToolOperation OperationOf(ScratchOperation operation) {
  return static_cast<ToolOperation>(static_cast<uint32_t>(operation) + 1);
}

}  // namespace

ScratchMemory::ScratchMemory(Contexts* contexts, ApiCalls* calls, AsyncTracing* kernels,
                             Retirement* retirement, const Topology* topology)
    : contexts_(contexts),
      calls_(calls),
      kernels_(kernels),
      retirement_(retirement),
      topology_(topology) {}

void ScratchMemory::Open() {
  if (Asked()) kernels_->FollowScratch();
}

bool ScratchMemory::Asked() const {
  return contexts_->With(kScratchCallbacks, kScratchRecords) != 0;
}

void ScratchMemory::Install(void* root, AgentGetInfo agent_get_info) {
  if (!Asked()) return;
  agent_get_info_.store(agent_get_info, std::memory_order_relaxed);
  if (scratch_hooks::Put(root, scratch_hooks::Party::kTools, this))
    return installed_.store(true, std::memory_order_release);  // pairs with installed()
  if (!complained_)
    Warn("scratch memory is not reported to tools in process %d: this needs ROCm 6.1 or later",
         static_cast<int>(getpid()));
  complained_ = true;
}

void ScratchMemory::Remove() { scratch_hooks::Lift(scratch_hooks::Party::kTools); }

void ScratchMemory::OnQueue(hsa_agent_t agent, const hsa_queue_t* queue) {
  const ReentryGuard guard;  // calls that the tracer makes are not reported
  const AgentGetInfo agent_get_info = agent_get_info_.load(std::memory_order_relaxed);
  uint32_t node = 0;
  if (agent_get_info == nullptr ||
      agent_get_info(agent, HSA_AGENT_INFO_NODE, &node) != HSA_STATUS_SUCCESS)
    return;
  Queue& place = queues_[queue->id % kMostQueues];
  place.id.store(0, std::memory_order_relaxed);
  place.agent.store(topology_->IdOf(node).handle, std::memory_order_relaxed);
  place.room.store(0, std::memory_order_relaxed);
  place.id.store(queue->id + 1, std::memory_order_release);  // pairs with FindQueue
}

// `id`: the queue's id plus one. Returns null if HSA's functions did not create the queue.
ScratchMemory::Queue* ScratchMemory::FindQueue(uint64_t id) {
  if (id == 0) return nullptr;
  Queue& place = queues_[(id - 1) % kMostQueues];
  return place.id.load(std::memory_order_acquire) == id ? &place : nullptr;
}

// Finds this thread's open event, also to reuse an event that has not ended. Null if there is none.
ScratchMemory::Event* ScratchMemory::FindEvent(ToolOperation operation, const hsa_queue_t* queue) {
  const uint32_t self = ThreadId::Current();
  for (Event& event : events_) {
    if (event.thread.load(std::memory_order_relaxed) == self &&
        event.function.operation == operation && event.runtime_queue == queue)
      return &event;
  }
  return nullptr;
}

ScratchMemory::Event* ScratchMemory::TakeEvent(ToolOperation operation, const hsa_queue_t* queue) {
  Event* event = FindEvent(operation, queue);
  for (uint32_t i = 0; event == nullptr && i < kMostOpen; ++i) {
    uint32_t free = 0;
    if (events_[i].thread.compare_exchange_strong(free, ThreadId::Current(),
                                                  std::memory_order_acquire))  // pairs with End
      event = &events_[i];
  }
  if (event == nullptr) return nullptr;
  event->function = FunctionOf(operation);
  event->runtime_queue = queue;
  return event;
}

void ScratchMemory::Begin(ScratchOperation of, const RuntimeEvent& runtime) {
  const ToolOperation operation = OperationOf(of);
  if (!calls_->Listening(FunctionOf(operation))) return;
  Event* const event = TakeEvent(operation, runtime.queue);
  if (event == nullptr) return calls_->CountDropped(FunctionOf(operation));
  auto& payload = event->payload;
  payload = {};
  payload.size = sizeof payload;
  const Queue* const queue = FindQueue(runtime.queue_id);
  if (queue != nullptr) payload.agent_id.handle = queue->agent.load(std::memory_order_relaxed);
  if (runtime.queue_id != 0) payload.queue_id.handle = runtime.queue_id - 1;
  payload.flags = static_cast<rocprofiler_scratch_alloc_flag_t>(runtime.flags);
  payload.args_kind = static_cast<hsa_amd_tool_event_kind_t>(runtime.kind);
  if (operation == ROCPROFILER_SCRATCH_MEMORY_ALLOC)
    payload.args.alloc_start.dispatch_id = runtime.dispatch_id;
  ApiCalls::Call& call = event->call;
  const uint64_t of_kernel = TakeIds(event);
  // The kernel's external id has priority over the value that the tool has pushed for the thread,
  // also in callbacks.
  calls_->Choose(&call, event->function, &payload, [&](const Context& context, uint32_t i) {
    call.data[i].value = 0;
    if (context.Requests(kScratchRequests) || (of_kernel >> i & 1) == 0)
      call.external[i].value =
          context.ExternalOf(kScratchRequests, operation, call.thread, call.correlation);
  });
  calls_->TellAll(&call, ROCPROFILER_CALLBACK_PHASE_ENTER);
  call.start = process_clock.NowNs();
}

// Sets the ids of the kernel, if it is known. Returns the contexts that have an external id for the
// kernel, as bits.
uint64_t ScratchMemory::TakeIds(Event* event) {
  ApiCalls::Call& call = event->call;
  call.correlation = call.ancestor = event->bytes = 0;
  if (event->function.operation != ROCPROFILER_SCRATCH_MEMORY_ALLOC) return 0;
  const uint64_t id = event->payload.queue_id.handle;
  const Queue* const queue = FindQueue(id + 1);
  const uint32_t room = queue == nullptr ? 0 : queue->room.load(std::memory_order_relaxed);
  AsyncTracing::StoppedKernel kernel = {0, 0, 0, 0, call.external};
  if (!kernels_->FindStopped(id, event->payload.args.alloc_start.dispatch_id, room, &kernel))
    return 0;
  event->bytes = kernel.bytes;
  call.correlation = kernel.correlation;
  call.ancestor = kernel.ancestor;
  retirement_->Hold(call.correlation, 1);  // the kernel has not ended, so its id has holds
  return kernel.contexts;
}

void ScratchMemory::NoteRoom(ToolOperation operation, const RuntimeEvent& runtime,
                             const Event* event) {
  Queue* const queue = FindQueue(runtime.queue_id);
  if (queue == nullptr) return;
  const bool alloc = operation == ROCPROFILER_SCRATCH_MEMORY_ALLOC;
  // the queue keeps its other memory; one event frees both
  if (alloc && runtime.flags == ROCPROFILER_SCRATCH_ALLOC_FLAG_ALT) return;
  const bool stays = alloc && runtime.flags == ROCPROFILER_SCRATCH_ALLOC_FLAG_NONE;
  queue->room.store(stays && event != nullptr ? event->bytes : 0, std::memory_order_relaxed);
}

void ScratchMemory::End(ScratchOperation of, const RuntimeEvent& runtime) {
  const ToolOperation operation = OperationOf(of);
  Event* const event = FindEvent(operation, runtime.queue);
  NoteRoom(operation, runtime, event);
  if (event == nullptr) return;  // no context subscribed at the start of the event
  const uint64_t end = process_clock.NowNs();
  if (calls_->open()) {
    auto& payload = event->payload;
    payload.flags = static_cast<rocprofiler_scratch_alloc_flag_t>(runtime.flags);
    payload.args_kind = static_cast<hsa_amd_tool_event_kind_t>(runtime.kind);
    if (operation == ROCPROFILER_SCRATCH_MEMORY_ALLOC) {
      // The packet is the one of the event's start, because the runtime restarts the queue before
      // it reads the queue's read index for the end.
      payload.args.alloc_end.size = runtime.size;
      payload.args.alloc_end.num_slots = runtime.slots;
    }
    calls_->TellEnd(&event->call);
    auto record = ApiCalls::RecordOf<rocprofiler_buffer_tracing_scratch_memory_record_t>(
        event->call, {event->call.start, end});
    record.agent_id = payload.agent_id;
    record.queue_id = payload.queue_id;
    record.flags = payload.flags;
    if (operation == ROCPROFILER_SCRATCH_MEMORY_ALLOC) record.allocation_size = runtime.size;
    calls_->Append(event->call, event->call.recorded, &record);
  }
  retirement_->Release(event->call.correlation, 1);
  event->thread.store(0, std::memory_order_release);  // pairs with TakeEvent
}

}  // namespace rtl::sdk
