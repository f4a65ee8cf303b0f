// SPDX-License-Identifier: MIT
// valu.h: the vector ALU.
//
// Lanes that EXEC (or a DPP mask) disables keep their destination untouched. GPR index mode is
// resolved by the caller: register numbers arrive final.
//
// Floats     Rounding and denormals follow MODE, per width; output modifiers and clamp as MODE.IEEE
//            and MODE.DX10_CLAMP say. Minimum and maximum treat NaNs as with MODE.IEEE set.
// Accuracy   arithmetic, rcp and sqrt are correctly rounded, the other functions within 1 ulp; the
//            hardware's may be off by more (valu_float*.cpp)
// Left out   cube map, interpolation, exp_legacy, log_legacy, screen_partition: a fault by name
#pragma once

#include <cstdint>

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/instruction.h"
#include "vgpu/wave/wave.h"

namespace vgpu {

// The handler of one opcode, for the decoder; nullptr: it is not implemented. Every implemented
// opcode has a test (checked by the test program).
// Format::kVector: VOP1, VOP2, VOPC and VOP3, with SDWA, DPP and modifiers.
Handler FindVector(uint16_t opcode);
// Format::kVop3p: packed 16-bit, mixed precision and dot products.
Handler FindVop3p(uint16_t opcode);

}  // namespace vgpu
