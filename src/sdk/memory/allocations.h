// SPDX-License-Identifier: MIT
// allocations.h: the service MEMORY_ALLOCATION, which reports memory that a program allocates from
// HSA and frees. Contexts get ENTER before the function, EXIT after it, and a record.
//
// The event belongs to the open call that allocates the memory: the HSA call, or the HIP call if
// HSA is not traced. Without an open call the event has a correlation id of its own.
//
// Threads    any; an event belongs to its thread. OnRuntime: one thread at a time
// Blocking   while another thread appends a record to the same buffer. The first event queries the
//            runtime for its agents' memory. The tools' functions run without a lock
// Memory     on the stack; 8 KB for each time that a runtime is initialised
// Errors     if the agent of a pool is not known, the event has agent zero
#pragma once

#include <hsa/hsa_ext_amd.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include <atomic>

#include "sdk/agents/topology.h"
#include "sdk/calls/api_calls.h"

namespace rtl::sdk {

class Allocations {
 public:
  // The runtime's functions that report the agent of a pool. Any may be null.
  struct Runtime {
    decltype(&hsa_iterate_agents) iterate_agents = nullptr;
    decltype(&hsa_agent_get_info) agent_get_info = nullptr;
    decltype(&hsa_agent_iterate_regions) iterate_regions = nullptr;
    decltype(&hsa_amd_agent_iterate_memory_pools) iterate_pools = nullptr;
  };
  struct Event {
    ApiFunction function;
    ApiCalls::Call call;
    rocprofiler_callback_tracing_memory_allocation_data_t payload;
    bool own;  // the correlation id was created for this event only
  };

  Allocations(Contexts* contexts, ApiCalls* calls, const Topology* topology)
      : contexts_(contexts), calls_(calls), topology_(topology) {}
  ~Allocations();
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;

  // True if some context subscribes, whether it is started or not.
  bool Asked() const;
  bool Asked(rocprofiler_memory_allocation_operation_t operation) const {
    return calls_->Asked(FunctionOf(operation));
  }
  // Called when a runtime has been initialised, whose pools are new.
  void OnRuntime(const Runtime& runtime);

  // HOT: in every wrapped function. True if a started context subscribes; the caller then calls
  // Begin.
  bool Listening(rocprofiler_memory_allocation_operation_t operation) const {
    return calls_->Listening(FunctionOf(operation));
  }
  // The arguments of the function. Zero if it has no such argument.
  struct Memory {
    uint64_t pool, bytes, address;
  };
  // `timed`: the trace measures the call and passes its times to End.
  void Begin(Event* event, rocprofiler_memory_allocation_operation_t operation,
             const Memory& memory, bool timed);
  void End(Event* event, uint64_t address, const CallTimes& measured);

 private:
  struct Pools;
  // Describes the event like an API function.
  static constexpr ApiFunction FunctionOf(rocprofiler_memory_allocation_operation_t operation) {
    return {ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION,
            ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION, operation, 0,
            ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_ALLOCATION};
  }
  rocprofiler_agent_id_t AgentOf(uint64_t pool);
  const Pools* AskRuntime();

  Contexts* const contexts_;
  ApiCalls* const calls_;
  const Topology* const topology_;
  Runtime runtime_;
  std::atomic<const Pools*> pools_{nullptr};  // null: the runtime was not queried yet
};

}  // namespace rtl::sdk
