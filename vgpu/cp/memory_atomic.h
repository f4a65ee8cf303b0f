// SPDX-License-Identifier: MIT
// memory_atomic.h: the read-modify-write operations of SDMA and PM4 packets.
//
// Threads    any; atomic against the host and every other engine. Memory: none
#pragma once

#include <cstdint>

#include "vgpu/wave/memory/atomic_operation.h"

namespace vgpu {

// Splits an operation number of the texture cache. Bit 5 set: the operands have 64 bits. Bit 6 set:
// nothing is returned; the effect on memory is the same. False when there is no such operation
// (floating point included).
[[nodiscard]] bool DecodeMemoryAtomic(uint32_t number, AtomicOperation* operation, bool* wide);

// Applies the operation to naturally aligned memory. False, with memory unchanged, only when
// kCompareSwap found another value than `compare`. *before, if given, is the old contents.
bool ApplyMemoryAtomic(AtomicOperation operation, bool wide, uint8_t* memory, uint64_t operand,
                       uint64_t compare, uint64_t* before = nullptr);

}  // namespace vgpu
