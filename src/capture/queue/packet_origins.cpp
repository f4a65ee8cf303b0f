// SPDX-License-Identifier: MIT
#include "capture/queue/packet_origins.h"

#include <sys/mman.h>

#include <bit>

namespace rtl::capture {

namespace {

template <typename T>
T* MapRows(uint64_t count) {
  void* const memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<T*>(memory);
}

}  // namespace

bool PacketOrigins::Open(uint32_t queue_size, bool for_tools) {
  const uint64_t wanted = std::bit_ceil(uint64_t{queue_size}) * 2;
  if (wanted > made_ || (for_tools && tool_slots_ == nullptr)) {
    auto* const slots = MapRows<Slot>(wanted);
    auto* const tool_slots = for_tools ? MapRows<std::atomic<uint64_t>>(wanted) : nullptr;
    if (slots == nullptr || (for_tools && tool_slots == nullptr)) return false;
    // The former memory stays mapped, because a thread that is late may still write into it.
    slots_ = slots;
    tool_slots_ = tool_slots;
    made_ = wanted;
  } else {
    // An entry of an earlier queue must not be taken for one of this queue.
    for (uint64_t i = 0; i < wanted; ++i) slots_[i].tag.store(0, std::memory_order_relaxed);
  }
  mask_ = wanted - 1;
  return true;
}

// HOT: once per submission, on the application's thread.
void PacketOrigins::Note(uint64_t index, uint64_t count, const PacketOrigin& origin) {
  for (uint64_t i = index; i != index + count; ++i) {
    Slot& slot = slots_[i & mask_];
    slot.correlation.store(origin.correlation, std::memory_order_relaxed);
    if (tool_slots_ != nullptr)
      tool_slots_[i & mask_].store(origin.tool_correlation, std::memory_order_relaxed);
    slot.tag.store(Tag(i, origin.thread), std::memory_order_release);  // (A)
  }
}

bool PacketOrigins::Find(uint64_t index, PacketOrigin* out) const {
  if (!open()) return false;  // tools joined when the queue was in use, and there was no memory
  const Slot& slot = slots_[index & mask_];
  const uint64_t tag = slot.tag.load(std::memory_order_acquire);  // pairs with (A)
  out->thread = static_cast<uint32_t>(tag);
  out->correlation = slot.correlation.load(std::memory_order_relaxed);
  out->tool_correlation =
      tool_slots_ == nullptr ? 0 : tool_slots_[index & mask_].load(std::memory_order_relaxed);
  return out->thread != 0 && tag == Tag(index, out->thread);
}

uint32_t OriginTable::Hash(const hsa_queue_t* queue) {
  const uint64_t key = reinterpret_cast<uintptr_t>(queue) >> 6;
  return static_cast<uint32_t>(key * 0x9E3779B97F4A7C15u >> 32) & (kSlots - 1);
}

void OriginTable::Add(const hsa_queue_t* queue, PacketOrigins* origins) {
  if (live_ == kQueues) return;
  Entry* place = nullptr;
  for (uint32_t at = Hash(queue);; at = (at + 1) & (kSlots - 1)) {
    Entry& entry = entries_[at];
    const hsa_queue_t* const held = entry.queue.load(std::memory_order_relaxed);
    // The entry of a destroyed queue can be reused, because no thread looks it up any more. An
    // entry with this very address is reused first.
    const bool gone = entry.origins.load(std::memory_order_relaxed) == nullptr;
    if ((place == nullptr && gone) || held == queue) place = &entry;
    if (held == nullptr || held == queue) break;
  }
  if (place->queue.load(std::memory_order_relaxed) == nullptr) {
    if (used_ == kSlots - 1) return;
    ++used_;
  }
  ++live_;
  place->origins.store(origins, std::memory_order_relaxed);
  place->queue.store(queue, std::memory_order_release);  // (B)
}

void OriginTable::Remove(const hsa_queue_t* queue) {
  for (uint32_t at = Hash(queue);; at = (at + 1) & (kSlots - 1)) {
    Entry& entry = entries_[at];
    const hsa_queue_t* const held = entry.queue.load(std::memory_order_relaxed);
    if (held == nullptr) return;
    if (held != queue) continue;
    entry.origins.store(nullptr, std::memory_order_release);
    --live_;
    return;
  }
}

// HOT: once per submission, on the application's thread.
PacketOrigins* OriginTable::Find(const hsa_queue_t* queue) const {
  for (uint32_t at = Hash(queue);; at = (at + 1) & (kSlots - 1)) {
    const Entry& entry = entries_[at];
    const hsa_queue_t* const held = entry.queue.load(std::memory_order_acquire);  // pairs with (B)
    if (held == queue) return entry.origins.load(std::memory_order_acquire);
    if (held == nullptr) return nullptr;
  }
}

}  // namespace rtl::capture
