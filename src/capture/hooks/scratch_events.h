// SPDX-License-Identifier: MIT
// scratch_events.h: records scratch memory that the runtime gives to a queue and takes back
// (scratch_hooks.h).
//
// Threads    events: any, mostly the runtime's own. Install, Remove: one at a time
// Blocking   never
// Memory     fixed
// Losses     an event is seen when it begins. Events beyond kMostOpen at once are kNoMemory, a
//            record that the sink refuses is kSpoolFull, an event that began in a pause is kPaused
// Why        docs/adr/0048-scratch-memory.md
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include <atomic>

#include "base/fast_clock.h"
#include "capture/hooks/scratch_hooks.h"
#include "model/event_kinds.h"
#include "model/record_sink.h"

namespace rtl::capture {

class ScratchEvents final : public ScratchListener {
 public:
  static constexpr uint32_t kMostOpen = 16;

  using RuntimeEvent = ScratchEvent;

  ScratchEvents() = default;
  ScratchEvents(const ScratchEvents&) = delete;
  ScratchEvents& operator=(const ScratchEvents&) = delete;

  // `root`: an HsaApiTable. False if the runtime lacks the table for tools.
  bool Install(void* root, RecordSink* sink, const FastClock* clock);
  // Begins no more events. Events that are open are still recorded. Async-signal-safe.
  void Disarm() { armed_.store(false, std::memory_order_relaxed); }
  void Remove();

  void Begin(ScratchOperation operation, const RuntimeEvent& runtime) override;
  void End(ScratchOperation operation, const RuntimeEvent& runtime) override;

 private:
  struct Event {
    std::atomic<uint32_t> thread{0};  // the thread whose event this is; zero: free
    ScratchOperation operation;
    const hsa_queue_t* queue;
    uint64_t start, packet;
    bool paused;
  };

  Event* Find(ScratchOperation operation, const hsa_queue_t* queue);
  Event* Take(ScratchOperation operation, const hsa_queue_t* queue);
  void Write(const Event& event, const RuntimeEvent& runtime);

  std::atomic<bool> armed_{false};
  RecordSink* sink_ = nullptr;  // written before armed_, like the next member
  const FastClock* clock_ = nullptr;
  Event events_[kMostOpen];
};

}  // namespace rtl::capture
