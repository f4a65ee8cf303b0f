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

// kVector: no counter counts the instruction by its type.
InstructionClass VectorClassOf(Format format, uint16_t opcode);

// The class of the instruction with that mnemonic. A packed instruction counts once.
InstructionClass VectorClassOf(std::string_view mnemonic);

}  // namespace vgpu
