// SPDX-License-Identifier: MIT
#include "capture/hsa/doorbells.h"

#include <hsa/amd_hsa_signal.h>

#include <algorithm>

#include "capture/hsa/traced_queue.h"
#include "capture/signal/signal_times.h"

namespace rtl::capture {
namespace {

// Where the hook's packets belong, while it runs on this thread.
struct Place {
  AqlPacket* ring;
  uint64_t mask;
  uint64_t index;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Place* place = nullptr;

bool IsDoorbell(hsa_signal_t signal) {
  if (!LooksLikeSignal(signal)) return false;
  const amd_signal_kind64_t kind = SignalMemory(signal)->kind;
  return kind == AMD_SIGNAL_KIND_DOORBELL || kind == AMD_SIGNAL_KIND_LEGACY_DOORBELL;
}

bool IsWritten(const AqlPacket& packet) {
  // Pairs with the producer's release of the header: the rest of the packet is there.
  const uint16_t header = __atomic_load_n(&packet.header, __ATOMIC_ACQUIRE);
  return (header & kPacketTypeMask) != HSA_PACKET_TYPE_INVALID;
}

}  // namespace

bool Doorbells::Add(TracedQueue* traced, const hsa_queue_t* queue) {
  const uint64_t handle = queue->doorbell_signal.handle;
  MutexLock lock(mutex_);
  for (uint32_t i = 0; i < kQueues; ++i) {
    Doorbell& doorbell = doorbells_[(PlaceOf(handle) + i) % kQueues];
    if (doorbell.handle.load(std::memory_order_relaxed) > kGone) continue;
    {
      MutexLock content(doorbell.mutex);
      doorbell.traced = traced;
      doorbell.ring = static_cast<AqlPacket*>(queue->base_address);
      doorbell.mask = queue->size - 1;
      doorbell.next = doorbell.announced = 0;
    }
    doorbell.handle.store(handle, std::memory_order_release);  // pairs with Find
    return true;
  }
  return false;
}

Doorbells::Removed Doorbells::Remove(hsa_signal_t signal) {
  MutexLock lock(mutex_);
  Doorbell* const doorbell = Find(signal.handle);
  if (doorbell == nullptr) return {};
  doorbell->handle.store(kGone, std::memory_order_release);
  return {signal.handle, static_cast<uint32_t>(doorbell - doorbells_)};
}

void Doorbells::PutBack(Removed doorbell) {
  if (doorbell.handle == 0) return;
  MutexLock lock(mutex_);
  doorbells_[doorbell.place].handle.store(doorbell.handle, std::memory_order_release);
}

Doorbells::Doorbell* Doorbells::Find(uint64_t handle) {
  for (uint32_t i = 0; i < kQueues; ++i) {
    Doorbell& doorbell = doorbells_[(PlaceOf(handle) + i) % kQueues];
    const uint64_t there = doorbell.handle.load(std::memory_order_acquire);  // pairs with Add
    if (there == handle) return &doorbell;
    if (there == kFree) return nullptr;
  }
  return nullptr;
}

// HOT: once per ring of a doorbell, and once per store to any other signal.
void Doorbells::Store(hsa_signal_t signal, hsa_signal_value_t value, StoreFunction store) {
  if (!IsDoorbell(signal) || services_->forked.load(std::memory_order_relaxed)) {
    return store(signal, value);
  }
  Doorbell* const doorbell = Find(signal.handle);
  if (doorbell == nullptr) return store(signal, value);
  MutexLock lock(doorbell->mutex);
  Ring(*doorbell, static_cast<uint64_t>(value) + 1, signal);
}

void Doorbells::Ring(Doorbell& doorbell, uint64_t announced, hsa_signal_t signal) {
  doorbell.announced = std::max(doorbell.announced, announced);
  const uint64_t next = doorbell.next;
  uint64_t end = next;
  while (end < doorbell.announced && IsWritten(doorbell.ring[end & doorbell.mask])) ++end;
  if (end == next) return;
  Place here = {doorbell.ring, doorbell.mask, next};
  place = &here;
  TracedQueue::OnPackets(&doorbell.ring[next & doorbell.mask], end - next, next, doorbell.traced,
                         &Doorbells::WriteBack);
  place = nullptr;
  doorbell.next = end;
  services_->api->signal_store_screlease(signal, static_cast<hsa_signal_value_t>(end - 1));
}

// The hook's writer. All that it ever changes is which signal a packet completes.
void Doorbells::WriteBack(const void* packets, uint64_t count) {
  const AqlPacket* packet = static_cast<const AqlPacket*>(packets);
  for (const AqlPacket* end = packet + count; packet != end; ++packet, ++place->index) {
    AqlPacket* const slot = &place->ring[place->index & place->mask];
    if (slot == packet) continue;  // handed through where it lies
    const uint64_t signal = packet->dispatch.completion_signal.handle;
    if (slot->dispatch.completion_signal.handle != signal) {
      __atomic_store_n(&slot->dispatch.completion_signal.handle, signal, __ATOMIC_RELAXED);
    }
  }
}

}  // namespace rtl::capture
