// SPDX-License-Identifier: MIT
// lane_memory.h: the common loads and stores, for all lanes of a wave at a time.
//
// Translated code executes memory instructions with these. Each matches the handler when all lanes
// find their data in one mapping, or in LDS. Otherwise it calls the handler.
#pragma once

#include "vgpu/wave/instruction.h"

namespace vgpu {

// nullptr: the instruction has no such function, or the host has no AVX-512.
Handler FasterHandler(const Instruction& instruction);

}  // namespace vgpu
