// SPDX-License-Identifier: MIT
// scratch_memory.h: SCRATCH_MEMORY: memory for kernels' stacks that the runtime gives a queue and
// takes back, as contexts are told of it: ENTER, EXIT, and a record.
//
//   runtime ─► ours (start) ─► ENTER ─► what was in the table ┐
//           ─► ours (end)   ─► EXIT, record ─► what was there ┘ on one thread; they may be nested
//
// It belongs to the kernel at which the queue has stopped, when that is known for certain
// (scratch_kernels.h); else the internal id is zero.
//
// Threads    events: any, mostly the runtime's own. Install, Remove, OnQueue: the application's
// Blocking   a lock of AsyncTracing's; as Buffer::Append. The tools' functions run without a lock
// Memory     fixed
// Errors     more than kMostOpen at once: the others are drops in the buffers. A runtime without the
//            table: one line on stderr. A queue that HSA's functions did not make says agent zero
// Why        docs/adr/0048-scratch-memory.md
#pragma once

#include <hsa/hsa.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include <atomic>

#include "sdk/api_calls.h"
#include "sdk/async_tracing.h"
#include "sdk/topology.h"
#include "spec/api/hsa_tables.h"

namespace rtl::sdk {

class ScratchMemory {
 public:
  static constexpr uint32_t kMostOpen = 16;
  static constexpr uint32_t kMostQueues = 1024;

  // The runtime's events, as it lays them out.
  struct RuntimeEvent {
    uint32_t kind;
    const hsa_queue_t* queue;
    uint32_t flags;
    uint64_t dispatch_id;  // of ALLOC; at its end what the queue has come to meanwhile
    uint64_t size, slots;  // at its end
  };
  using ToolFunction = hsa_status_t (*)(const RuntimeEvent* event);
  using AgentGetInfo = decltype(&hsa_agent_get_info);

  // One per process: the functions in the table find it without an argument.
  ScratchMemory(Contexts* contexts, ApiCalls* calls, AsyncTracing* kernels, Retirement* retirement,
                const Topology* topology);
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;

  // Contexts are complete.
  void Open();
  // Some context asks, started or not.
  bool Asked() const;

  // `root`: an HsaApiTable. All of the table or nothing: what is freed says what a queue has.
  void Install(void* root, AgentGetInfo agent_get_info);
  // Puts back what was there, where our function still stands.
  void Remove();
  bool installed() const { return installed_.load(std::memory_order_acquire); }
  // The program has got a queue.
  void OnQueue(hsa_agent_t agent, const hsa_queue_t* queue);

 private:
  struct Event {
    std::atomic<uint32_t> thread{0};  // whose it is; zero: free
    ApiFunction function;
    const hsa_queue_t* runtime_queue;
    uint32_t bytes;  // of a work item of the kernel; zero: it is not known
    ApiCalls::Call call;
    rocprofiler_callback_tracing_scratch_memory_data_t payload;
  };
  struct Queue {
    std::atomic<uint64_t> id{0};  // and one; zero: none
    std::atomic<uint64_t> agent{0};
    std::atomic<uint32_t> room{0};  // its memory is for work items of so many bytes, or more
  };

  template <uint32_t kPlace>
  static hsa_status_t OnEvent(const RuntimeEvent* event);
  static ToolFunction FunctionAt(uint32_t place);

  void Begin(rocprofiler_scratch_memory_operation_t operation, const RuntimeEvent& runtime);
  void End(rocprofiler_scratch_memory_operation_t operation, const RuntimeEvent& runtime);
  Event* TakeEvent(rocprofiler_scratch_memory_operation_t operation, const hsa_queue_t* queue);
  Event* FindEvent(rocprofiler_scratch_memory_operation_t operation, const hsa_queue_t* queue);
  uint64_t TakeIds(Event* event);
  Queue* FindQueue(uint64_t id);
  void NoteRoom(rocprofiler_scratch_memory_operation_t operation, const RuntimeEvent& runtime,
                const Event* event);

  Contexts* const contexts_;
  ApiCalls* const calls_;
  AsyncTracing* const kernels_;
  Retirement* const retirement_;
  const Topology* const topology_;
  std::atomic<bool> installed_{false};
  bool complained_ = false;
  std::atomic<AgentGetInfo> agent_get_info_{nullptr};  // written before installed_
  void** slots_[hsa_tables::kToolSlots] = {};
  std::atomic<ToolFunction> before_[hsa_tables::kToolSlots] = {};
  Event events_[kMostOpen];
  Queue queues_[kMostQueues];  // by id; a later queue takes an older one's place
};

}  // namespace rtl::sdk
