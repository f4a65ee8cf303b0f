// SPDX-License-Identifier: MIT
#include "sdk/hip/stream_ids.h"

namespace rtl::sdk {

// Returns null if all slots hold other streams.
StreamIds::Slot* StreamIds::SlotOf(uint64_t stream) {
  // needed because handles differ mainly in their middle bits
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15;
  constexpr int kShift = 52;
  static_assert(kSlots == uint32_t{1} << (64 - kShift));
  const uint64_t first = stream * kMix >> kShift;
  for (uint32_t i = 0; i < kSlots; ++i) {
    Slot& slot = slots_[(first + i) % kSlots];
    uint64_t there = slot.stream.load(std::memory_order_relaxed);
    if (there == stream) return &slot;
    if (there != 0) continue;
    if (slot.stream.compare_exchange_strong(there, stream, std::memory_order_relaxed)) return &slot;
    if (there == stream) return &slot;  // another thread has just stored the same stream
  }
  return nullptr;
}

uint64_t StreamIds::Of(uint64_t stream) {
  if (stream == 0) return 0;
  Slot* const slot = SlotOf(stream);
  if (slot == nullptr) return kNone;
  uint64_t number = slot->number.load(std::memory_order_relaxed);
  if (number != 0) return number;
  const uint64_t made = NewNumber();
  if (slot->number.compare_exchange_strong(number, made, std::memory_order_relaxed)) return made;
  return number;
}

uint64_t StreamIds::Renew(uint64_t stream) {
  if (stream == 0) return 0;
  Slot* const slot = SlotOf(stream);
  if (slot == nullptr) return kNone;
  const uint64_t made = NewNumber();
  slot->number.store(made, std::memory_order_relaxed);
  return made;
}

uint64_t StreamIds::Take(uint64_t stream) {
  const uint64_t number = Of(stream);
  if (number == 0 || number == kNone) return number;
  SlotOf(stream)->number.store(0, std::memory_order_relaxed);
  return number;
}

void StreamIds::PutBack(uint64_t stream, uint64_t number) {
  if (number == 0 || number == kNone) return;
  SlotOf(stream)->number.store(number, std::memory_order_relaxed);
}

}  // namespace rtl::sdk
