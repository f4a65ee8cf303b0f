// SPDX-License-Identifier: MIT
// vector_types.h: on what numbers a vector instruction computes, as the counters of gfx90a tell
// them apart.
//
// Threads    any
// Memory     static
#pragma once

#include <string_view>

#include "vgpu/wave/instruction.h"

namespace vgpu {

// kVector: none of those that are counted by themselves.
InstructionClass VectorClassOf(Format format, uint16_t opcode);

// By its mnemonic; packed instructions count as one.
InstructionClass VectorClassOf(std::string_view mnemonic);

}  // namespace vgpu
