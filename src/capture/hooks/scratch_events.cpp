// SPDX-License-Identifier: MIT
#include "capture/hooks/scratch_events.h"

#include <stddef.h>
#include <string.h>

#include "base/thread_state.h"
#include "capture/marker/pause.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

static_assert(offsetof(ScratchEvents::RuntimeEvent, queue) == 8 &&
              offsetof(ScratchEvents::RuntimeEvent, flags) == 16 &&
              offsetof(ScratchEvents::RuntimeEvent, dispatch_id) == 24 &&
              offsetof(ScratchEvents::RuntimeEvent, slots) == 40);

// Used by the functions in the table, which carry no data of their own.
constinit std::atomic<ScratchEvents*> g_scratch{nullptr};

// The table has a start and an end for each operation, in the order of the operations.
constexpr ScratchOperation OperationAt(uint32_t place) {
  return static_cast<ScratchOperation>(place / 2);
}
constexpr bool IsStart(uint32_t place) { return place % 2 == 0; }

// Null: the runtime lacks it.
char* ToolTable(void* root, uint32_t* bytes) {
  constexpr uint32_t kPlace = hsa_tables::kVersionBytes + hsa_tables::kRootToolSlot * 8;
  uint32_t head[2];  // major, bytes
  memcpy(head, root, sizeof head);
  if (head[1] < kPlace + 8) return nullptr;
  char* table;
  memcpy(&table, static_cast<char*>(root) + kPlace, 8);
  if (table == nullptr) return nullptr;
  memcpy(head, table, sizeof head);
  *bytes = head[1];
  return head[0] <= hsa_tables::kMaxToolMajor ? table : nullptr;
}

}  // namespace

// Installed in the runtime's table. The former function is always called.
template <uint32_t kPlace>
hsa_status_t ScratchEvents::OnEvent(const RuntimeEvent* event) {
  ScratchEvents& self = *g_scratch.load(std::memory_order_acquire);
  if (IsStart(kPlace)) {
    self.Begin(OperationAt(kPlace), *event);
  } else {
    self.End(OperationAt(kPlace), *event);
  }
  const ToolFunction before = self.before_[kPlace].load(std::memory_order_acquire);
  return before == nullptr ? HSA_STATUS_SUCCESS : before(event);
}

ScratchEvents::ToolFunction ScratchEvents::FunctionAt(uint32_t place) {
  static constexpr ToolFunction kFunctions[hsa_tables::kToolSlots] = {
      OnEvent<0>, OnEvent<1>, OnEvent<2>, OnEvent<3>, OnEvent<4>, OnEvent<5>};
  return kFunctions[place];
}

bool ScratchEvents::Install(void* root, RecordSink* sink, const FastClock* clock) {
  uint32_t bytes = 0;
  char* const table = ToolTable(root, &bytes);
  if (table == nullptr) return false;
  sink_ = sink;
  clock_ = clock;
  g_scratch.store(this, std::memory_order_release);
  armed_.store(true, std::memory_order_release);
  for (uint32_t i = 0; i < hsa_tables::kToolSlots; ++i) {
    const uint32_t place = hsa_tables::kVersionBytes + i * hsa_tables::kSlotBytes;
    if (place + hsa_tables::kSlotBytes > bytes) continue;
    void** const slot = reinterpret_cast<void**>(table + place);
    void* const before = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    const ToolFunction ours = FunctionAt(i);
    if (before == reinterpret_cast<void*>(ours)) continue;
    before_[i].store(reinterpret_cast<ToolFunction>(before), std::memory_order_release);
    slots_[i] = slot;
    __atomic_store_n(slot, reinterpret_cast<void*>(ours), __ATOMIC_RELEASE);
  }
  return true;
}

void ScratchEvents::Remove() {
  Disarm();
  for (uint32_t i = 0; i < hsa_tables::kToolSlots; ++i) {
    if (slots_[i] == nullptr) continue;
    void* expected = reinterpret_cast<void*>(FunctionAt(i));
    // False when another tool's function is installed now: it continues to call ours.
    (void)__atomic_compare_exchange_n(
        slots_[i], &expected, reinterpret_cast<void*>(before_[i].load(std::memory_order_relaxed)),
        false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    slots_[i] = nullptr;
  }
}

// The thread's own open event; an event without an end is reused. Null: there is none.
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
  sink_->CountSeen(EventKind::kScratch, 1);
  Event* const event = Take(operation, runtime.queue);
  if (event == nullptr) return sink_->CountLoss(EventKind::kScratch, Loss::kNoMemory, 1);
  event->paused = Pause::Active();
  event->packet = operation == ScratchOperation::kAllocate ? runtime.dispatch_id : 0;
  event->start = clock_->NowNs();
}

void ScratchEvents::End(ScratchOperation operation, const RuntimeEvent& runtime) {
  Event* const event = Find(operation, runtime.queue);
  if (event == nullptr) return;  // its start was not seen
  if (event->paused) {
    sink_->CountLoss(EventKind::kScratch, Loss::kPaused, 1);
  } else {
    Write(*event, runtime);
  }
  event->thread.store(0, std::memory_order_release);  // pairs with Take
}

void ScratchEvents::Write(const Event& event, const RuntimeEvent& runtime) {
  ScratchValues values;
  values.queue = runtime.queue->id + 1;
  values.flags = runtime.flags;
  // It has the packet of its start: the runtime restarts the queue before it reports the end.
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
