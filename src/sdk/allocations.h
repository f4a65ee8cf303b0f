// SPDX-License-Identifier: MIT
// allocations.h: MEMORY_ALLOCATION: memory that a program asks HSA for and gives back, as contexts
// are told of it: ENTER, the function, EXIT, and a record.
//
// It belongs to the call that is open, which asks for the memory: of HSA, or, when that is not
// traced, of HIP. Without one it has an id of its own.
//
// Threads    any; an event belongs to its thread. OnRuntime: one at a time
// Blocking   while another thread appends a record to the same buffer; the first event asks the
//            runtime for its agents' memory. The tools' functions run without a lock
// Memory     on the stack; 8 KB for each time that a runtime is initialised
// Errors     memory of a pool that no agent has says agent zero
#pragma once

#include <hsa/hsa_ext_amd.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include <atomic>

#include "sdk/api_calls.h"
#include "sdk/topology.h"

namespace rtl::sdk {

class Allocations {
 public:
  // The runtime's functions that say whose a pool is; any may be null.
  struct Runtime {
    decltype(&hsa_iterate_agents) iterate_agents = nullptr;
    decltype(&hsa_agent_get_info) agent_get_info = nullptr;
    decltype(&hsa_agent_iterate_regions) iterate_regions = nullptr;
    decltype(&hsa_amd_agent_iterate_memory_pools) iterate_pools = nullptr;
  };
  struct Event {
    rocprofiler_memory_allocation_operation_t operation;
    rocprofiler_agent_id_t agent;
    uint64_t address, bytes;
    uint64_t correlation, ancestor;
    bool own;                 // the correlation id is this event's
    uint64_t told, recorded;  // contexts, as bits
    uint64_t start, end;
    rocprofiler_user_data_t data[Contexts::kMost];      // of those that were told
    rocprofiler_user_data_t external[Contexts::kMost];  // of all of them
  };

  Allocations(Contexts* contexts, ApiCalls* calls, const Topology* topology)
      : contexts_(contexts), calls_(calls), topology_(topology) {}
  ~Allocations();
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;

  // Contexts are complete: who asks is looked up once.
  void Open();
  // Some context asks, started or not.
  bool Asked() const { return Asking() != 0; }
  bool Asked(rocprofiler_memory_allocation_operation_t operation) const;
  // A runtime has been initialised: pools are others.
  void OnRuntime(const Runtime& runtime);

  // Whether anybody listens now; Begin follows.
  bool Listening(rocprofiler_memory_allocation_operation_t operation) const;
  // `pool`: zero when memory is given back.
  void Begin(Event* event, rocprofiler_memory_allocation_operation_t operation, uint64_t pool,
             uint64_t bytes, uint64_t address);
  void End(Event* event, uint64_t address);

 private:
  struct Pools;
  uint64_t Asking() const { return callback_contexts_ | buffer_contexts_; }
  rocprofiler_agent_id_t AgentOf(uint64_t pool);
  const Pools* AskRuntime();
  void Tell(Event* event, uint32_t context, rocprofiler_callback_phase_t phase);

  Contexts* const contexts_;
  ApiCalls* const calls_;
  const Topology* const topology_;
  uint64_t callback_contexts_ = 0, buffer_contexts_ = 0;  // as bits; published by ApiCalls::Open
  Runtime runtime_;
  std::atomic<const Pools*> pools_{nullptr};  // null: nobody has asked yet
};

}  // namespace rtl::sdk
