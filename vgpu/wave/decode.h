// SPDX-License-Identifier: MIT
// decode.h: from code words to an Instruction with its handler.
//
// Never fails: what cannot be executed decodes to an Instruction whose handler records a named
// illegal-instruction fault.
#pragma once

#include <cstdint>

#include "vgpu/wave/instruction.h"

namespace vgpu {

// How many dwords the instruction that starts with `word` has: 1 or 2.
int EncodedDwords(uint32_t word);

// `second` is ignored when the instruction has one dword.
Instruction Decode(uint32_t first, uint32_t second);

// What is in the way of executing a decoded instruction; nullptr when nothing is known to be. Some
// instructions are refused only when they run, for what their operands hold.
const char* WhyNotExecuted(const Instruction& instruction);

}  // namespace vgpu
