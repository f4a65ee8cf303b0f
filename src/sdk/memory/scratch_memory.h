// SPDX-License-Identifier: MIT
// scratch_memory.h: the service SCRATCH_MEMORY, which reports memory for kernels' stacks that the
// runtime gives to a queue and takes back. Contexts get ENTER, EXIT, and a record.
//
//   runtime ─► capture/hooks/scratch_hooks.h (start) ─► ENTER        ┐ on one thread; they may be
//           ─►                               (end)   ─► EXIT, record ┘ nested
//
// If the kernel at which the queue has stopped is known for certain (scratch_kernels.h), the event
// belongs to this kernel. Otherwise its internal correlation id is zero.
//
// Threads    events: any, mostly the runtime's own. Install, Remove, OnQueue: the application's
// Blocking   a lock of AsyncTracing; as Buffer::Append. The tools' functions run without a lock
// Memory     fixed
// Errors     events beyond kMostOpen at once count as dropped in the buffers. A runtime without the
//            table gives one line on stderr. An event of a queue that HSA's functions did not
//            create has agent zero
// Why        docs/adr/0048-scratch-memory.md
#pragma once

#include <hsa/hsa.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include <atomic>

#include "capture/hooks/scratch_hooks.h"
#include "sdk/agents/topology.h"
#include "sdk/calls/api_calls.h"
#include "sdk/kernels/async_tracing.h"

namespace rtl::sdk {

class ScratchMemory final : public capture::ScratchListener {
 public:
  static constexpr uint32_t kMostOpen = 16;
  static constexpr uint32_t kMostQueues = 1024;

  using RuntimeEvent = capture::ScratchEvent;
  using AgentGetInfo = decltype(&hsa_agent_get_info);

  ScratchMemory(Contexts* contexts, ApiCalls* calls, AsyncTracing* kernels, Retirement* retirement,
                const Topology* topology);
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;

  // Called when configuration is complete.
  void Open();
  // True if some context subscribes, whether it is started or not.
  bool Asked() const;

  // `root`: an HsaApiTable.
  void Install(void* root, AgentGetInfo agent_get_info);
  void Remove();
  bool installed() const { return installed_.load(std::memory_order_acquire); }
  // The program has created a queue.
  void OnQueue(hsa_agent_t agent, const hsa_queue_t* queue);

  void Begin(ScratchOperation of, const RuntimeEvent& runtime) override;
  void End(ScratchOperation of, const RuntimeEvent& runtime) override;

 private:
  struct Event {
    std::atomic<uint32_t> thread{0};  // the thread whose event this is; zero: free
    ApiFunction function;
    const hsa_queue_t* runtime_queue;
    uint32_t bytes;  // bytes per work item of the kernel; zero: not known
    ApiCalls::Call call;
    rocprofiler_callback_tracing_scratch_memory_data_t payload;
  };
  struct Queue {
    std::atomic<uint64_t> id{0};  // the queue's id plus one; zero: the entry is free
    std::atomic<uint64_t> agent{0};
    // the queue's memory suffices for kernels with this many bytes per work item
    std::atomic<uint32_t> room{0};
  };

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
  Event events_[kMostOpen];
  Queue queues_[kMostQueues];  // indexed by id; a later queue may take the entry over
};

}  // namespace rtl::sdk
