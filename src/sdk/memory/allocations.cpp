// SPDX-License-Identifier: MIT
#include "sdk/memory/allocations.h"

#include <rocprofiler-sdk/buffer_tracing.h>
#include <stdlib.h>

#include "base/self_kept_clock.h"
#include "base/thread_state.h"
#include "capture/hip/open_call.h"

namespace rtl::sdk {

// A region of the core interface and an AMD memory pool may have the same handle. Both handles then
// name the same memory.
struct Allocations::Pools {
  static constexpr uint32_t kMost = 512;
  struct {
    uint64_t handle;
    rocprofiler_agent_id_t agent;
  } all[kMost];
  uint32_t count;
  // State while pools are collected.
  const Runtime* runtime;
  const Topology* topology;
  rocprofiler_agent_id_t agent;

  template <typename Pool>
  static hsa_status_t Add(Pool pool, void* self) {
    auto* const to = static_cast<Pools*>(self);
    if (to->count == kMost) return HSA_STATUS_INFO_BREAK;
    to->all[to->count].handle = pool.handle;
    to->all[to->count++].agent = to->agent;
    return HSA_STATUS_SUCCESS;
  }
  static hsa_status_t AddAgent(hsa_agent_t agent, void* self) {
    auto* const to = static_cast<Pools*>(self);
    uint32_t node = 0;
    if (to->runtime->agent_get_info(agent, HSA_AGENT_INFO_NODE, &node) != HSA_STATUS_SUCCESS)
      return HSA_STATUS_SUCCESS;
    to->agent = to->topology->IdOf(node);
    // If an agent reports nothing, its pools are missing in the list.
    if (to->runtime->iterate_regions != nullptr)
      (void)to->runtime->iterate_regions(agent, Add<hsa_region_t>, to);
    if (to->runtime->iterate_pools != nullptr)
      (void)to->runtime->iterate_pools(agent, Add<hsa_amd_memory_pool_t>, to);
    return HSA_STATUS_SUCCESS;
  }
};

Allocations::~Allocations() { free(const_cast<Pools*>(pools_.load(std::memory_order_acquire))); }

bool Allocations::Asked() const {
  return contexts_->With(ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION,
                         ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION) != 0;
}

void Allocations::OnRuntime(const Runtime& runtime) {
  runtime_ = runtime;
  // The old list is not freed, because threads may be reading it.
  pools_.store(nullptr, std::memory_order_release);
}

const Allocations::Pools* Allocations::AskRuntime() {
  const ReentryGuard guard;  // calls that the tracer makes are not reported
  auto* const made = static_cast<Pools*>(calloc(1, sizeof(Pools)));
  if (made == nullptr || runtime_.iterate_agents == nullptr || runtime_.agent_get_info == nullptr) {
    free(made);
    return nullptr;
  }
  made->runtime = &runtime_;
  made->topology = topology_;
  // if this fails, the list has the pools found so far
  (void)runtime_.iterate_agents(Pools::AddAgent, made);
  const Pools* expected = nullptr;
  if (pools_.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) return made;
  free(made);  // another thread has stored a list
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

void Allocations::Begin(Event* event, rocprofiler_memory_allocation_operation_t operation,
                        const Memory& memory, bool timed) {
  event->function = FunctionOf(operation);
  event->payload = {};
  event->payload.size = sizeof event->payload;
  if (memory.pool != 0) event->payload.agent_id = AgentOf(memory.pool);
  event->payload.address.value = memory.address;
  event->payload.allocation_size = memory.bytes;
  ApiCalls::Call& call = event->call;
  const capture::ThreadCalls* const calls = capture::OpenCall::Calls();
  call.correlation = capture::OpenCall::Correlation();
  call.ancestor = call.correlation == 0 ? 0 : calls->ancestor;
  event->own = call.correlation == 0;
  if (event->own) {
    call.correlation = calls_->NewCorrelation();
    (void)ApiCalls::SetOpen(call.correlation, 0);  // no call is open on this thread
  }
  calls_->TellBegin(&call, event->function, &event->payload);
  if (!timed) event->payload.start_timestamp = process_clock.NowNs();
}

void Allocations::End(Event* event, uint64_t address, const CallTimes& measured) {
  const bool timed = measured.end != 0;
  if (timed) event->payload.start_timestamp = measured.start;
  event->payload.end_timestamp = timed ? measured.end : process_clock.NowNs();
  event->payload.address.value = address;
  calls_->TellEnd(&event->call);
  if (event->own) (void)ApiCalls::SetOpen(0, 0);  // no call was open before
  auto record = ApiCalls::RecordOf<rocprofiler_buffer_tracing_memory_allocation_record_t>(
      event->call, {event->payload.start_timestamp, event->payload.end_timestamp});
  record.agent_id = event->payload.agent_id;
  record.address = event->payload.address;
  record.allocation_size = event->payload.allocation_size;
  calls_->Append(event->call, event->call.recorded, &record);
}

}  // namespace rtl::sdk
