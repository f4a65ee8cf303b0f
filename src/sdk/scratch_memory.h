// SPDX-License-Identifier: MIT
// scratch_memory.h: SCRATCH_MEMORY: reports memory for kernels' stacks that the runtime gives to a
// queue and takes back. Contexts get ENTER, EXIT, and a record.
//
//   runtime ─► ours (start) ─► ENTER ─► the previous function ┐
//           ─► ours (end)   ─► EXIT, record ─► the previous   ┘ on one thread; they may be nested
//
// The event belongs to the kernel at which the queue has stopped, when that is known for certain
// (scratch_kernels.h). Otherwise the internal id is zero.
//
// Threads    events: any, mostly the runtime's own. Install, Remove, OnQueue: the application's
// Blocking   a lock of AsyncTracing's; as Buffer::Append. The tools' functions run without a lock
// Memory     fixed
// Errors     more than kMostOpen at once: the others are drops in the buffers. A runtime without
//            the table: one line on stderr. A queue that HSA's functions did not make has agent
//            zero
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

  // The runtime's events, in its layout.
  struct RuntimeEvent {
    uint32_t kind;
    const hsa_queue_t* queue;
    uint32_t flags;
    uint64_t dispatch_id;  // of ALLOC; at the end event, the queue's later position
    uint64_t size, slots;  // set at the end event
  };
  using ToolFunction = hsa_status_t (*)(const RuntimeEvent* event);
  using AgentGetInfo = decltype(&hsa_agent_get_info);

  // One per process: the functions in the table find it without an argument.
  ScratchMemory(Contexts* contexts, ApiCalls* calls, AsyncTracing* kernels, Retirement* retirement,
                const Topology* topology);
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;

  // Configuration is complete.
  void Open();
  // True if some context subscribes, started or not.
  bool Asked() const;

  // `root`: an HsaApiTable. Installs all entries or none: the sizes in frees are needed to know a
  // queue's memory.
  void Install(void* root, AgentGetInfo agent_get_info);
  // Restores the previous function where our function is still installed.
  void Remove();
  bool installed() const { return installed_.load(std::memory_order_acquire); }
  // The program has created a queue.
  void OnQueue(hsa_agent_t agent, const hsa_queue_t* queue);

 private:
  struct Event {
    std::atomic<uint32_t> thread{0};  // its owner; zero: free
    ApiFunction function;
    const hsa_queue_t* runtime_queue;
    uint32_t bytes;  // per work item of the kernel; zero: not known
    ApiCalls::Call call;
    rocprofiler_callback_tracing_scratch_memory_data_t payload;
  };
  struct Queue {
    std::atomic<uint64_t> id{0};  // the queue's id plus one; zero: none
    std::atomic<uint64_t> agent{0};
    std::atomic<uint32_t> room{0};  // largest bytes per work item that its memory suffices for
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
  Queue queues_[kMostQueues];  // indexed by id; a later queue may reuse an entry
};

}  // namespace rtl::sdk
