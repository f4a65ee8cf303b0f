// SPDX-License-Identifier: MIT
#include "capture/hooks/scratch_events.h"

#include "base/thread_state.h"
#include "capture/roctx/pause.h"
#include "model/records.h"

namespace rtl::capture {

bool ScratchEvents::Install(void* root, RecordSink* sink, const FastClock* clock) {
  sink_ = sink;
  clock_ = clock;
  armed_.store(true, std::memory_order_release);
  const bool there = scratch_hooks::Put(root, scratch_hooks::Party::kTrace, this);
  if (!there) Disarm();
  return there;
}

void ScratchEvents::Remove() {
  Disarm();
  scratch_hooks::Lift(scratch_hooks::Party::kTrace);
}

// Finds this thread's open event, also to reuse an event that has not ended. Null if there is none.
ScratchEvents::Event* ScratchEvents::Find(ScratchOperation operation, const hsa_queue_t* queue) {
  const uint32_t self = ThreadId::Current();
  for (Event& event : events_) {
    if (event.thread.load(std::memory_order_relaxed) == self && event.operation == operation &&
        event.queue == queue)
      return &event;
  }
  return nullptr;
}

ScratchEvents::Event* ScratchEvents::Take(ScratchOperation operation, const hsa_queue_t* queue) {
  if (Event* const left = Find(operation, queue); left != nullptr) {
    sink_->CountLoss(EventKind::kScratch, Loss::kAbandoned, 1);
    return left;
  }
  for (Event& event : events_) {
    uint32_t free = 0;
    if (!event.thread.compare_exchange_strong(free, ThreadId::Current(),
                                              std::memory_order_acquire))  // pairs with End
      continue;
    event.operation = operation;
    event.queue = queue;
    return &event;
  }
  return nullptr;
}

void ScratchEvents::Begin(ScratchOperation operation, const RuntimeEvent& runtime) {
  if (!armed_.load(std::memory_order_acquire)) return;
  sink_->CountSubmitted(EventKind::kScratch, 1);
  Event* const event = Take(operation, runtime.queue);
  if (event == nullptr) return sink_->CountLoss(EventKind::kScratch, Loss::kNoMemory, 1);
  event->paused = Pause::Active();
  event->packet = operation == ScratchOperation::kAllocate ? runtime.dispatch_id : 0;
  event->start = clock_->NowNs();
}

void ScratchEvents::End(ScratchOperation operation, const RuntimeEvent& runtime) {
  Event* const event = Find(operation, runtime.queue);
  if (event == nullptr) return;  // the start of the event was not seen
  if (event->paused) {
    sink_->CountLoss(EventKind::kScratch, Loss::kPaused, 1);
  } else {
    Write(*event, runtime);
  }
  event->thread.store(0, std::memory_order_release);  // pairs with Take
}

void ScratchEvents::Write(const Event& event, const RuntimeEvent& runtime) {
  ScratchValues values;
  values.queue = runtime.queue_id;
  values.flags = runtime.flags;
  // The packet is the one of the event's start, because the runtime restarts the queue before it
  // reports the end.
  values.packet = event.packet;
  if (event.operation == ScratchOperation::kAllocate) {
    values.bytes = runtime.size;
    values.slots = runtime.slots;
  }
  EventRecord record;
  record.head.type = RecordType::kEvent;
  record.head.thread = ThreadId::Current();
  record.start = event.start;
  record.end = clock_->NowNs();
  record.kind = EventKind::kScratch;
  record.values = sizeof values / sizeof(uint64_t);
  record.operation = static_cast<uint16_t>(event.operation);
  record.text_bytes = sizeof values;
  if (!sink_->Write(&record, sizeof record, reinterpret_cast<const char*>(&values), sizeof values))
    sink_->CountLoss(EventKind::kScratch, Loss::kSpoolFull, 1);
}

}  // namespace rtl::capture
