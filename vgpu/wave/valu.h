// SPDX-License-Identifier: MIT
// valu.h: the vector ALU.
//
// Lanes that EXEC (or a DPP mask) disables keep their destination untouched. GPR index mode is
// resolved by the caller: register numbers arrive final.
#pragma once

#include <cstdint>

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/instruction.h"
#include "vgpu/wave/wave.h"

namespace vgpu {

// Format::kVector: VOP1, VOP2, VOPC and VOP3, with SDWA, DPP and modifiers.
bool ExecuteVector(Wave& wave, const Instruction& instruction, ExecutionContext& context);
// Format::kVop3p: packed 16-bit, mixed precision and dot products.
bool ExecuteVop3p(Wave& wave, const Instruction& instruction, ExecutionContext& context);

// The handler of one opcode, for the decoder; nullptr when the opcode is not implemented.
Handler FindVector(uint16_t opcode);
Handler FindVop3p(uint16_t opcode);

// True when the opcode is implemented; every such opcode has a test (checked by the test program).
bool SupportsVector(uint16_t opcode);
bool SupportsVop3p(uint16_t opcode);

}  // namespace vgpu
