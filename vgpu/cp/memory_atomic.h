// SPDX-License-Identifier: MIT
// memory_atomic.h: the read-modify-write operations of SDMA and PM4 packets.
//
// Threads    any; atomic against the host and every other engine. Memory: none
#pragma once

#include <cstdint>

namespace vgpu {

// Operation numbers of the texture cache for 32-bit operands that return the old value. Bit 5 set:
// the operands have 64 bits. Bit 6 set: nothing is returned; the effect on memory is the same.
enum class MemoryAtomic : uint8_t {
  kSwap = 7,
  kCompareSwap = 8,
  kAdd = 15,
  kSub = 16,
  kSignedMin = 17,
  kUnsignedMin = 18,
  kSignedMax = 19,
  kUnsignedMax = 20,
  kAnd = 21,
  kOr = 22,
  kXor = 23,
  kIncrement = 24,  // old >= operand ? 0 : old + 1
  kDecrement = 25,  // old == 0 || old > operand ? operand : old - 1
};

// Splits an operation number. False when there is no such operation (floating point included).
[[nodiscard]] bool DecodeMemoryAtomic(uint32_t number, MemoryAtomic* operation, bool* wide);

// Applies the operation to naturally aligned memory. False, with memory unchanged, only when
// kCompareSwap found another value than `compare`. *before, if given, is the old contents.
bool ApplyMemoryAtomic(MemoryAtomic operation, bool wide, uint8_t* memory, uint64_t operand,
                       uint64_t compare, uint64_t* before = nullptr);

}  // namespace vgpu
