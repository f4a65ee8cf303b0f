// SPDX-License-Identifier: MIT
// atomic_operation.h: the names of the read-modify-write operations of atomics.h.
#pragma once

#include <cstdint>

namespace vgpu {

enum class AtomicOperation : uint8_t {
  // In the order of the opcodes of SMEM, FLAT and MUBUF.
  kSwap,
  kCompareSwap,
  kAdd,
  kSubtract,
  kMinSigned,
  kMinUnsigned,
  kMaxSigned,
  kMaxUnsigned,
  kAnd,
  kOr,
  kXor,
  kIncrement,        // wraps to 0 when it reaches the operand
  kDecrement,        // wraps to the operand at 0 or above the operand
  kReverseSubtract,  // operand - memory
  // On floats of the operand's width.
  kAddFloat,
  kAddFlushedFloat,  // denormals are zeros
  kAddPackedHalves,
  kAddPackedBrainFloats,
  kMinFloat,
  kMaxFloat,
};

}  // namespace vgpu
