// SPDX-License-Identifier: MIT
// scratch_events.h: scratch memory that the runtime gives a queue and takes back, recorded from the
// runtime's table for tools, which those from ROCm 6.1 on have.
//
//   runtime ─► ours (start) ─► what was in the table ┐
//           ─► ours (end)   ─► what was there        ┘ on one thread; they may be nested
//
// Threads    events: any, mostly the runtime's own. Install, Remove: one at a time
// Blocking   never
// Memory     fixed
// Losses     an event is seen when it begins; more than kMostOpen at once are kNoMemory, a record
//            that the sink refuses is kSpoolFull, one that began in a pause kPaused
// Why        docs/adr/0048-scratch-memory.md
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include <atomic>

#include "base/fast_clock.h"
#include "model/event_kinds.h"
#include "model/record_sink.h"
#include "spec/api/hsa_tables.h"

namespace rtl::capture {

class ScratchEvents {
 public:
  static constexpr uint32_t kMostOpen = 16;

  // The runtime's events, as it lays them out.
  struct RuntimeEvent {
    uint32_t kind;
    const hsa_queue_t* queue;
    uint32_t flags;
    uint64_t dispatch_id;  // of an allocation's start: the packet at which the queue has stopped
    uint64_t size, slots;  // of an allocation's end
  };

  ScratchEvents() = default;
  ScratchEvents(const ScratchEvents&) = delete;
  ScratchEvents& operator=(const ScratchEvents&) = delete;

  // `root`: an HsaApiTable. False: this runtime does not have the table.
  bool Install(void* root, RecordSink* sink, const FastClock* clock);
  // From now on nothing begins; what is open is still recorded. Async-signal-safe.
  void Disarm() { armed_.store(false, std::memory_order_relaxed); }
  // Puts back what was there, where our function still stands.
  void Remove();

 private:
  using ToolFunction = hsa_status_t (*)(const RuntimeEvent* event);
  struct Event {
    std::atomic<uint32_t> thread{0};  // whose it is; zero: free
    ScratchOperation operation;
    const hsa_queue_t* queue;
    uint64_t start, packet;
    bool paused;
  };

  template <uint32_t kPlace>
  static hsa_status_t OnEvent(const RuntimeEvent* event);
  static ToolFunction FunctionAt(uint32_t place);
  void Begin(ScratchOperation operation, const RuntimeEvent& runtime);
  void End(ScratchOperation operation, const RuntimeEvent& runtime);
  Event* Find(ScratchOperation operation, const hsa_queue_t* queue);
  Event* Take(ScratchOperation operation, const hsa_queue_t* queue);
  void Write(const Event& event, const RuntimeEvent& runtime);

  std::atomic<bool> armed_{false};
  RecordSink* sink_ = nullptr;  // written before armed_, as the next
  const FastClock* clock_ = nullptr;
  void** slots_[hsa_tables::kToolSlots] = {};
  std::atomic<ToolFunction> before_[hsa_tables::kToolSlots] = {};
  Event events_[kMostOpen];
};

}  // namespace rtl::capture
