// SPDX-License-Identifier: MIT
// gfx942.h: what differs from gfx90a when waves run gfx942 code (CDNA3).
//
//   opcodes      v_mov_b64, v_lshl_add_u64, v_fmamk and v_fmaak, packed float16 and bfloat16
//                atomics, products of matrices of 8-bit floats; bfloat16 products under other
//                numbers. Gone: v_mac_f32, v_mad_f32
//   loads        global loads into LDS have opcodes of their own
//   scratch      the hardware sets FLAT_SCRATCH up; a bit says whether the address includes a VGPR
//   matrices     16-bit floats keep denormals; BLGP negates the operands of doubles
//   chiplets     XCC_ID says on which one a wave runs
//
// Threads    any
#pragma once

#include <cstdint>

#include "vgpu/wave/instruction.h"

namespace vgpu {

// `replaces` and `find` of gfx942's row (isa.h).
bool ReplacesOnGfx942(Format format, uint16_t opcode);
// nullptr: the instruction is not modelled, or does not exist.
Handler FindGfx942(Format format, Segment segment, uint16_t opcode);

// Sets the fields of a memory instruction that gfx90a does not have.
void FinishGfx942(Instruction* instruction);

// The handler of a product of matrices, by its number among kVop3p. nullptr: the opcode is none.
Handler FindMatrix942(uint16_t opcode);

}  // namespace vgpu
