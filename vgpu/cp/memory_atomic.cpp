// SPDX-License-Identifier: MIT
#include "vgpu/cp/memory_atomic.h"

#include <algorithm>
#include <type_traits>

namespace vgpu {
namespace {

constexpr uint32_t kWideBit = 0x20;
constexpr uint32_t kNoReturnBit = 0x40;

template <typename T>
T Combine(MemoryAtomic operation, T old, T operand) {
  using Signed = std::make_signed_t<T>;
  const auto signed_old = static_cast<Signed>(old);
  const auto signed_operand = static_cast<Signed>(operand);
  switch (operation) {
    case MemoryAtomic::kSwap:
    case MemoryAtomic::kCompareSwap:
      return operand;
    case MemoryAtomic::kAdd:
      return old + operand;
    case MemoryAtomic::kSub:
      return old - operand;
    case MemoryAtomic::kSignedMin:
      return static_cast<T>(std::min(signed_old, signed_operand));
    case MemoryAtomic::kUnsignedMin:
      return std::min(old, operand);
    case MemoryAtomic::kSignedMax:
      return static_cast<T>(std::max(signed_old, signed_operand));
    case MemoryAtomic::kUnsignedMax:
      return std::max(old, operand);
    case MemoryAtomic::kAnd:
      return old & operand;
    case MemoryAtomic::kOr:
      return old | operand;
    case MemoryAtomic::kXor:
      return old ^ operand;
    case MemoryAtomic::kIncrement:
      return old >= operand ? 0 : old + 1;
    case MemoryAtomic::kDecrement:
      return old == 0 || old > operand ? operand : old - 1;
  }
  return old;
}

template <typename T>
bool Apply(MemoryAtomic operation, T* memory, T operand, T compare, uint64_t* before) {
  T old = __atomic_load_n(memory, __ATOMIC_RELAXED);
  T wanted;
  do {
    if (operation == MemoryAtomic::kCompareSwap && old != compare) {
      *before = old;
      return false;
    }
    wanted = Combine(operation, old, operand);
    // Pairs with the host's acquiring load of the signal or flag that lives here.
  } while (!__atomic_compare_exchange_n(memory, &old, wanted, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
  *before = old;
  return true;
}

}  // namespace

bool DecodeMemoryAtomic(uint32_t number, MemoryAtomic* operation, bool* wide) {
  const uint32_t base = number & ~(kWideBit | kNoReturnBit);
  const bool swap = base == static_cast<uint32_t>(MemoryAtomic::kSwap) ||
                    base == static_cast<uint32_t>(MemoryAtomic::kCompareSwap);
  const bool integer = base >= static_cast<uint32_t>(MemoryAtomic::kAdd) &&
                       base <= static_cast<uint32_t>(MemoryAtomic::kDecrement);
  if (!swap && !integer) return false;
  *operation = static_cast<MemoryAtomic>(base);
  *wide = (number & kWideBit) != 0;
  return true;
}

bool ApplyMemoryAtomic(MemoryAtomic operation, bool wide, uint8_t* memory, uint64_t operand,
                       uint64_t compare, uint64_t* before) {
  uint64_t unused;
  if (before == nullptr) before = &unused;
  if (wide) return Apply(operation, reinterpret_cast<uint64_t*>(memory), operand, compare, before);
  return Apply(operation, reinterpret_cast<uint32_t*>(memory), static_cast<uint32_t>(operand),
               static_cast<uint32_t>(compare), before);
}

}  // namespace vgpu
