// SPDX-License-Identifier: MIT
// gfx942.h: what differs from gfx90a when waves run gfx942 code (CDNA3).
//
//   opcodes      v_mov_b64, v_lshl_add_u64, v_fmamk and v_fmaak, packed float16 and bfloat16
//                atomics, products of matrices of 8-bit floats; bfloat16 products under other
//                numbers. Gone: v_mac_f32, v_mad_f32
//   loads        global loads into LDS have opcodes of their own
//   scratch      the hardware sets FLAT_SCRATCH up; a bit says whether the vector address counts
//   matrices     16-bit floats keep denormals; BLGP negates the operands of doubles
//   chiplets     XCC_ID says on which one a wave runs
//
// Threads    any
#pragma once

#include <cstdint>

#include "vgpu/wave/instruction.h"

namespace vgpu {

// The functions of its row (isa.h).
bool ReplacesOnGfx942(Format format, uint16_t opcode);
// nullptr: it is not modelled, or there is no such instruction.
Handler FindGfx942(Format format, Segment segment, uint16_t opcode);

// The fields of memory instructions that gfx90a has not got.
void FinishGfx942(Instruction* instruction);

// Products of matrices, by their number among kVop3p. nullptr: another instruction.
Handler FindMatrix942(uint16_t opcode);

}  // namespace vgpu
