// SPDX-License-Identifier: MIT
// decode.h: from code words to an Instruction with its handler.
//
// Decoding never fails: an instruction that cannot be executed gets a handler that records a named
// illegal-instruction fault.
#pragma once

#include <cstdint>

#include "vgpu/wave/instruction.h"

namespace vgpu {

// The length of the instruction that starts with `word`: 1 or 2 dwords.
int EncodedDwords(uint32_t word);

// `second` is ignored when the instruction has one dword.
Instruction Decode(uint32_t first, uint32_t second);

// What prevents the execution of a decoded instruction; nullptr: nothing that decoding shows. Some
// instructions are refused only when they run, because of the contents of their operands.
const char* WhyNotExecuted(const Instruction& instruction);

}  // namespace vgpu
