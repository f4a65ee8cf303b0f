// SPDX-License-Identifier: MIT
#include "capture/hooks/scratch_hooks.h"

#include <stddef.h>
#include <string.h>

#include <atomic>

#include "spec/api/hsa_tables.h"

namespace rtl::capture::scratch_hooks {
namespace {

static_assert(offsetof(ScratchRuntimeEvent, queue) == 8 &&
              offsetof(ScratchRuntimeEvent, flags) == 16 &&
              offsetof(ScratchRuntimeEvent, dispatch_id) == 24 &&
              offsetof(ScratchRuntimeEvent, slots) == 40);

constinit std::atomic<ScratchListener*> g_listeners[2] = {};  // indexed by Party
constinit void** g_slots[hsa_tables::kToolSlots] = {};
constinit std::atomic<ScratchFunction> g_before[hsa_tables::kToolSlots] = {};

// Maps the address of each queue that has had scratch memory to the queue's id. An address is never
// removed: when a later queue reuses the address, its first allocation replaces the id.
struct KnownQueue {
  std::atomic<const hsa_queue_t*> queue;
  std::atomic<uint64_t> id;
};
constexpr size_t kMostQueues = 1024;  // ids of further queues are not known
constinit KnownQueue g_queues[kMostQueues] = {};

uint64_t IdOf(ScratchOperation operation, const hsa_queue_t* queue) {
  const uint64_t id = operation == ScratchOperation::kAllocate ? queue->id + 1 : 0;
  const size_t hash = reinterpret_cast<uintptr_t>(queue) / 64 * 0x9e3779b97f4a7c15 >> 32;
  for (size_t step = 0; step < kMostQueues; ++step) {
    KnownQueue& known = g_queues[(hash + step) % kMostQueues];
    const hsa_queue_t* there = known.queue.load(std::memory_order_acquire);
    if (there == nullptr && id == 0) return 0;
    if (there == nullptr && known.queue.compare_exchange_strong(there, queue)) there = queue;
    if (there != queue) continue;
    if (id == 0) return known.id.load(std::memory_order_relaxed);
    known.id.store(id, std::memory_order_relaxed);
    break;
  }
  return id;
}

// The functions in the runtime's table, which has a start and an end for each operation, in the
// order of the operations. They always call the former function.
template <uint32_t kPlace>
hsa_status_t OnEvent(const ScratchRuntimeEvent* event) {
  constexpr auto kOperation = static_cast<ScratchOperation>(kPlace / 2);
  const ScratchEvent known = {*event, IdOf(kOperation, event->queue)};
  for (const auto& each : g_listeners) {
    ScratchListener* const listener = each.load(std::memory_order_acquire);
    if (listener == nullptr) continue;
    kPlace % 2 == 0 ? listener->Begin(kOperation, known) : listener->End(kOperation, known);
  }
  const ScratchFunction before = g_before[kPlace].load(std::memory_order_acquire);
  return before == nullptr ? HSA_STATUS_SUCCESS : before(event);
}

constexpr ScratchFunction kFunctions[hsa_tables::kToolSlots] = {OnEvent<0>, OnEvent<1>, OnEvent<2>,
                                                                OnEvent<3>, OnEvent<4>, OnEvent<5>};

// Returns null if the runtime lacks the table.
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

bool Put(void* root, Party party, ScratchListener* listener) {
  uint32_t bytes = 0;
  char* const table = ToolTable(root, &bytes);
  if (table == nullptr) return false;
  g_listeners[static_cast<size_t>(party)].store(listener, std::memory_order_release);
  for (uint32_t i = 0; i < hsa_tables::kToolSlots; ++i) {
    const uint32_t place = hsa_tables::kVersionBytes + i * hsa_tables::kSlotBytes;
    void** const slot = reinterpret_cast<void**>(table + place);
    // the slot is of another table; the former table may be unmapped
    if (slot != g_slots[i]) g_slots[i] = nullptr;
    if (place + hsa_tables::kSlotBytes > bytes) continue;
    void* const before = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    // True if another tool's function is installed over the tracer's and calls it; the slot then
    // stays as it is.
    const bool below = slot == g_slots[i] && before != reinterpret_cast<void*>(g_before[i].load());
    if (before == reinterpret_cast<void*>(kFunctions[i]) || below) continue;
    g_before[i].store(reinterpret_cast<ScratchFunction>(before), std::memory_order_release);
    g_slots[i] = slot;
    __atomic_store_n(slot, reinterpret_cast<void*>(kFunctions[i]), __ATOMIC_RELEASE);
  }
  return true;
}

void Lift(Party party) {
  // Only the first call restores anything: after it the table may be unmapped.
  if (g_listeners[static_cast<size_t>(party)].exchange(nullptr) == nullptr) return;
  for (const auto& each : g_listeners) {
    if (each.load(std::memory_order_relaxed) != nullptr) return;
  }
  for (uint32_t i = 0; i < hsa_tables::kToolSlots; ++i) {
    if (g_slots[i] == nullptr) continue;
    void* expected = reinterpret_cast<void*>(kFunctions[i]);
    // False when another tool's function is installed now: it continues to call ours.
    const bool restored = __atomic_compare_exchange_n(
        g_slots[i], &expected, reinterpret_cast<void*>(g_before[i].load(std::memory_order_relaxed)),
        false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    if (restored) g_slots[i] = nullptr;
  }
}

}  // namespace rtl::capture::scratch_hooks
