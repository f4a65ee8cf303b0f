// SPDX-License-Identifier: MIT
#include "sdk/allocations.h"

#include <rocprofiler-sdk/buffer_tracing.h>
#include <stdlib.h>

#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "sdk/time_now.h"

namespace rtl::sdk {
namespace {

using Operation = rocprofiler_memory_allocation_operation_t;

constexpr uint32_t kCallbackKind = ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION;
constexpr uint32_t kBufferKind = ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION;
constexpr auto kRequestKind = ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_ALLOCATION;

bool Told(const Context& context, Operation operation) {
  const CallbackService& service = context.callbacks[kCallbackKind];
  return service.callback != nullptr && service.operations.Has(operation);
}

bool Recorded(const Context& context, Operation operation) {
  const BufferService& service = context.buffers[kBufferKind];
  return service.buffer != nullptr && service.operations.Has(operation);
}

}  // namespace

// A region of the core interface and a pool of AMD's may have the same handle, of the same memory.
struct Allocations::Pools {
  static constexpr uint32_t kMost = 512;
  struct {
    uint64_t handle;
    rocprofiler_agent_id_t agent;
  } all[kMost];
  uint32_t count;
  // While they are collected.
  const Runtime* runtime;
  const Topology* topology;
  rocprofiler_agent_id_t agent;

  hsa_status_t Add(uint64_t handle) {
    if (count == kMost) return HSA_STATUS_INFO_BREAK;
    all[count].handle = handle;
    all[count++].agent = agent;
    return HSA_STATUS_SUCCESS;
  }
  static hsa_status_t AddAgent(hsa_agent_t agent, void* self) {
    auto* const to = static_cast<Pools*>(self);
    uint32_t node = 0;
    if (to->runtime->agent_get_info(agent, HSA_AGENT_INFO_NODE, &node) != HSA_STATUS_SUCCESS)
      return HSA_STATUS_SUCCESS;
    to->agent = to->topology->IdOf(node);
    // What an agent does not say is missing in the list.
    if (to->runtime->iterate_regions != nullptr)
      (void)to->runtime->iterate_regions(
          agent,
          [](hsa_region_t region, void* list) {
            return static_cast<Pools*>(list)->Add(region.handle);
          },
          to);
    if (to->runtime->iterate_pools != nullptr)
      (void)to->runtime->iterate_pools(
          agent,
          [](hsa_amd_memory_pool_t pool, void* list) {
            return static_cast<Pools*>(list)->Add(pool.handle);
          },
          to);
    return HSA_STATUS_SUCCESS;
  }
};

Allocations::~Allocations() { free(const_cast<Pools*>(pools_.load(std::memory_order_acquire))); }

void Allocations::Open() {
  for (uint32_t i = 0; i < contexts_->count(); ++i) {
    const Context& context = contexts_->at(i);
    if (context.callbacks[kCallbackKind].callback != nullptr)
      callback_contexts_ |= uint64_t{1} << i;
    if (context.buffers[kBufferKind].buffer != nullptr) buffer_contexts_ |= uint64_t{1} << i;
  }
}

bool Allocations::Asked(Operation operation) const {
  for (uint64_t bits = Asking(); bits != 0;) {
    const Context& context = contexts_->at(TakeFirst(&bits));
    if (Told(context, operation) || Recorded(context, operation)) return true;
  }
  return false;
}

void Allocations::OnRuntime(const Runtime& runtime) {
  runtime_ = runtime;
  pools_.store(nullptr, std::memory_order_release);  // the old ones stay: threads may be reading
}

// HOT: in every wrapped function.
bool Allocations::Listening(Operation operation) const {
  if (!calls_->open() || ReentryGuard::Active()) return false;
  for (uint64_t bits = Asking(); bits != 0;) {  // published by ApiCalls::Open
    const Context& context = contexts_->at(TakeFirst(&bits));
    if (context.active() && (Told(context, operation) || Recorded(context, operation))) return true;
  }
  return false;
}

const Allocations::Pools* Allocations::AskRuntime() {
  const ReentryGuard guard;  // our own calls are not told
  auto* const made = static_cast<Pools*>(calloc(1, sizeof(Pools)));
  if (made == nullptr || runtime_.iterate_agents == nullptr || runtime_.agent_get_info == nullptr) {
    free(made);
    return nullptr;
  }
  made->runtime = &runtime_;
  made->topology = topology_;
  (void)runtime_.iterate_agents(Pools::AddAgent, made);  // what was found is found
  const Pools* expected = nullptr;
  if (pools_.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) return made;
  free(made);  // another thread was faster
  return expected;
}

rocprofiler_agent_id_t Allocations::AgentOf(uint64_t pool) {
  const Pools* pools = pools_.load(std::memory_order_acquire);  // pairs with AskRuntime
  if (pools == nullptr) pools = AskRuntime();
  for (uint32_t i = 0; pools != nullptr && i < pools->count; ++i) {
    if (pools->all[i].handle == pool) return pools->all[i].agent;
  }
  return {};
}

void Allocations::Begin(Event* event, Operation operation, uint64_t pool, uint64_t bytes,
                        uint64_t address) {
  event->operation = operation;
  event->agent = pool == 0 ? rocprofiler_agent_id_t{} : AgentOf(pool);
  event->bytes = bytes;
  event->address = address;
  event->start = event->end = 0;
  event->told = event->recorded = 0;
  const capture::ThreadCalls* const calls = capture::OpenCall::Calls();
  event->correlation = calls == nullptr ? 0 : calls->correlation;
  event->ancestor = event->correlation == 0 ? 0 : calls->ancestor;
  event->own = event->correlation == 0;
  if (event->own) {
    event->correlation = calls_->NewCorrelation();
    (void)ApiCalls::SetOpen(event->correlation, 0);  // none is open
  }
  for (uint64_t bits = Asking(); bits != 0;) {
    const uint32_t i = TakeFirst(&bits);
    const Context& context = contexts_->at(i);
    if (!context.active()) continue;
    event->told |= uint64_t{Told(context, operation)} << i;
    event->recorded |= uint64_t{Recorded(context, operation)} << i;
    if (((event->told | event->recorded) >> i & 1) != 0)
      event->external[i].value =
          context.ExternalOf(kRequestKind, operation, ThreadId::Current(), event->correlation);
  }
  for (uint64_t bits = event->told; bits != 0;) {
    const uint32_t i = TakeFirst(&bits);
    const Context& context = contexts_->at(i);
    event->data[i].value = 0;
    Tell(event, i, ROCPROFILER_CALLBACK_PHASE_ENTER);
    // The tool may have pushed a value for this event.
    if (!context.Requests(kRequestKind))
      event->external[i].value = context.external.Current(ThreadId::Current());
  }
  event->start = TimeNow();
}

// Every ENTER has its EXIT, also when the context has been stopped meanwhile, until it is closed.
void Allocations::End(Event* event, uint64_t address) {
  event->end = TimeNow();
  event->address = address;
  for (uint64_t bits = event->told; bits != 0;) {
    Tell(event, TakeFirst(&bits), ROCPROFILER_CALLBACK_PHASE_EXIT);
  }
  if (event->own) (void)ApiCalls::SetOpen(0, 0);  // as before
  rocprofiler_buffer_tracing_memory_allocation_record_t record = {};
  record.size = sizeof record;
  record.kind = ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION;
  record.operation = event->operation;
  record.correlation_id.internal = event->correlation;
  record.correlation_id.ancestor = event->ancestor;
  record.thread_id = ThreadId::Current();
  record.start_timestamp = event->start;
  record.end_timestamp = event->end;
  record.agent_id = event->agent;
  record.address.value = event->address;
  record.allocation_size = event->bytes;
  for (uint64_t bits = event->recorded; bits != 0;) {
    const uint32_t i = TakeFirst(&bits);
    record.correlation_id.external = event->external[i];
    contexts_->at(i).buffers[kBufferKind].buffer->Append(record);
  }
}

void Allocations::Tell(Event* event, uint32_t index, rocprofiler_callback_phase_t phase) {
  const Context& context = contexts_->at(index);
  const CallbackService& service = context.callbacks[kCallbackKind];
  rocprofiler_callback_tracing_memory_allocation_data_t payload = {};
  payload.size = sizeof payload;
  payload.start_timestamp = event->start;
  payload.end_timestamp = event->end;
  payload.agent_id = event->agent;
  payload.address.value = event->address;
  payload.allocation_size = event->bytes;
  rocprofiler_callback_tracing_record_t record = {};
  record.context_id = context.id;
  record.thread_id = ThreadId::Current();
  record.correlation_id.internal = event->correlation;
  record.correlation_id.external = event->external[index];
  record.correlation_id.ancestor = event->ancestor;
  record.kind = ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION;
  record.operation = event->operation;
  record.phase = phase;
  record.payload = &payload;
  const ToolCall call(context);
  if (call.allowed()) service.callback(record, &event->data[index], service.data);
}

}  // namespace rtl::sdk
