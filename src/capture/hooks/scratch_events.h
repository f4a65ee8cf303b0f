// SPDX-License-Identifier: MIT
// scratch_events.h: records scratch memory that the runtime gives to a queue and takes back, from
// the runtime's table for tools (ROCm 6.1 and later).
//
//   runtime ─► ours (start) ─► the former function ┐
//           ─► ours (end)   ─► the former function ┘ on one thread; they may be nested
//
// Threads    events: any, mostly the runtime's own. Install, Remove: one at a time
// Blocking   never
// Memory     fixed
// Losses     an event is seen when it begins; more than kMostOpen at once are kNoMemory, a record
//            that the sink refuses is kSpoolFull, one that began in a pause is kPaused
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

  // The runtime's events, in its layout.
  struct RuntimeEvent {
    uint32_t kind;
    const hsa_queue_t* queue;
    uint32_t flags;
    uint64_t dispatch_id;  // at an allocation's start: the packet at which the queue has stopped
    uint64_t size, slots;  // at an allocation's end
  };

  ScratchEvents() = default;
  ScratchEvents(const ScratchEvents&) = delete;
  ScratchEvents& operator=(const ScratchEvents&) = delete;

  // `root`: an HsaApiTable. False: the runtime lacks the table.
  bool Install(void* root, RecordSink* sink, const FastClock* clock);
  // Begins no more events; open ones are still recorded. Async-signal-safe.
  void Disarm() { armed_.store(false, std::memory_order_relaxed); }
  // Restores the former function where our function is still installed.
  void Remove();

 private:
  using ToolFunction = hsa_status_t (*)(const RuntimeEvent* event);
  struct Event {
    std::atomic<uint32_t> thread{0};  // its owner; zero: free
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
