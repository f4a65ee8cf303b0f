// SPDX-License-Identifier: MIT
// atomics.h: the read-modify-write operations of SMEM, FLAT, MUBUF and DS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "vgpu/wave/bit_operations.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/memory/atomic_operation.h"
#include "vgpu/wave/memory/float_atomics.h"
#include "vgpu/wave/memory_words.h"

namespace vgpu {

// The operations that have opcodes in a row.
using AtomicRow = std::make_index_sequence<static_cast<size_t>(AtomicOperation::kDecrement) + 1>;
static_assert(isa::FLAT_global_atomic_dec == isa::FLAT_global_atomic_swap + AtomicRow::size() - 1);
static_assert(isa::SMEM_s_atomic_dec_x2 == isa::SMEM_s_atomic_swap_x2 + AtomicRow::size() - 1);

// Sets the handlers of the opcodes from `first` on. `make` has the operation as its template
// argument and returns the handler.
template <size_t kSize, class Make>
constexpr void SetAtomics(uint16_t first, Make make, HandlerTable<kSize>* table) {
  const auto set = [&]<size_t... i>(std::index_sequence<i...>) {
    (((*table)[first + i] = make.template operator()<static_cast<AtomicOperation>(i)>()), ...);
  };
  set(AtomicRow());
}

// The memory contents after the operation. Only kCompareSwap uses `compare`.
template <AtomicOperation kOperation, class T>
inline T Updated(T old, T operand, T compare) {
  using Op = AtomicOperation;
  if constexpr (kOperation == Op::kSwap) return operand;
  if constexpr (kOperation == Op::kCompareSwap) return old == compare ? operand : old;
  if constexpr (kOperation == Op::kAdd) return old + operand;
  if constexpr (kOperation == Op::kSubtract) return old - operand;
  if constexpr (kOperation == Op::kReverseSubtract) return operand - old;
  if constexpr (kOperation == Op::kMinSigned) return Signed(old) < Signed(operand) ? old : operand;
  if constexpr (kOperation == Op::kMinUnsigned) return old < operand ? old : operand;
  if constexpr (kOperation == Op::kMaxSigned) return Signed(old) > Signed(operand) ? old : operand;
  if constexpr (kOperation == Op::kMaxUnsigned) return old > operand ? old : operand;
  if constexpr (kOperation == Op::kAnd) return old & operand;
  if constexpr (kOperation == Op::kOr) return old | operand;
  if constexpr (kOperation == Op::kXor) return old ^ operand;
  if constexpr (kOperation == Op::kIncrement) return old >= operand ? 0 : old + 1;
  if constexpr (kOperation == Op::kDecrement) return old == 0 || old > operand ? operand : old - 1;
  if constexpr (kOperation == Op::kAddFloat) return AddFloats(old, operand);
  if constexpr (kOperation == Op::kAddFlushedFloat) return AddFlushedFloats(old, operand);
  if constexpr (kOperation == Op::kAddPackedHalves)
    return AddPacked<AddFloats<uint16_t>>(old, operand);
  if constexpr (kOperation == Op::kAddPackedBrainFloats)
    return AddPacked<AddBrainFloats>(old, operand);
  if constexpr (kOperation == Op::kMinFloat) return ChosenFloat<true>(old, operand);
  if constexpr (kOperation == Op::kMaxFloat) return ChosenFloat<false>(old, operand);
}

// Atomically replaces the T at `host` and returns the old contents. An unaligned address (which the
// hardware would refuse or align) is updated without atomicity.
template <AtomicOperation kOperation, class T>
T AtomicUpdate(uint8_t* host, T operand, T compare) {
  if (!IsAligned<T>(host)) [[unlikely]] {
    const T old = LoadWord<T>(host);
    StoreWord<T>(host, Updated<kOperation, T>(old, operand, compare));
    return old;
  }
  T* place = reinterpret_cast<T*>(host);
  T old = __atomic_load_n(place, __ATOMIC_RELAXED);
  // Acquire and release: the guest builds its locks and queues from these.
  while (!__atomic_compare_exchange_n(place, &old, Updated<kOperation, T>(old, operand, compare),
                                      false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
  return old;
}

}  // namespace vgpu
