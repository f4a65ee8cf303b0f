// SPDX-License-Identifier: MIT
#include "vgpu/cp/memory_atomic.h"

#include <array>
#include <utility>

#include "vgpu/wave/memory/atomics.h"

namespace vgpu {
namespace {

constexpr uint32_t kWideBit = 0x20;
constexpr uint32_t kNoReturnBit = 0x40;

template <class T>
constexpr auto kUpdates = []<size_t... i>(std::index_sequence<i...>) {
  return std::array{Updated<static_cast<AtomicOperation>(i), T>...};
}
(AtomicRow());

template <typename T>
bool Apply(AtomicOperation operation, T* memory, T operand, T compare, uint64_t* before) {
  T old = __atomic_load_n(memory, __ATOMIC_RELAXED);
  T wanted;
  do {
    if (operation == AtomicOperation::kCompareSwap && old != compare) {
      *before = old;
      return false;
    }
    wanted = kUpdates<T>[static_cast<size_t>(operation)](old, operand, compare);
    // Pairs with the host's acquiring load of the signal or flag that lives here.
  } while (!__atomic_compare_exchange_n(memory, &old, wanted, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
  *before = old;
  return true;
}

}  // namespace

bool DecodeMemoryAtomic(uint32_t number, AtomicOperation* operation, bool* wide) {
  constexpr uint32_t kSwap = 7, kCompareSwap = 8, kAdd = 15, kDecrement = 25;
  const uint32_t base = number & ~(kWideBit | kNoReturnBit);
  const bool swap = base == kSwap || base == kCompareSwap;
  if (!swap && (base < kAdd || base > kDecrement)) return false;
  // The numbers from kSwap on, and those from kAdd on, are in the order of AtomicOperation.
  const auto first = static_cast<uint32_t>(AtomicOperation::kAdd);
  *operation = static_cast<AtomicOperation>(swap ? base - kSwap : base - kAdd + first);
  *wide = (number & kWideBit) != 0;
  return true;
}

bool ApplyMemoryAtomic(AtomicOperation operation, bool wide, uint8_t* memory, uint64_t operand,
                       uint64_t compare, uint64_t* before) {
  uint64_t unused;
  if (before == nullptr) before = &unused;
  if (wide) return Apply(operation, reinterpret_cast<uint64_t*>(memory), operand, compare, before);
  return Apply(operation, reinterpret_cast<uint32_t*>(memory), static_cast<uint32_t>(operand),
               static_cast<uint32_t>(compare), before);
}

}  // namespace vgpu
