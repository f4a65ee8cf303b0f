// SPDX-License-Identifier: MIT
// gfx90a.h: the differences of gfx90a code (CDNA2). Most of it is as in gfx906: the formats, and
// nearly all opcodes under the same numbers. This header covers what was added, or replaces
// something of gfx906.
//
//   registers    work-item ids are packed into v0; accumulation registers, a0 to a255
//   opcodes      packed float32, v_fmac_f64, dot products that accumulate, float atomics,
//                write-back and invalidation of the L2 cache, products of matrices
//                (valu_matrix.cpp)
//   DPP          one lane of each row for the whole row; 64-bit operands
//
// Threads    any
#pragma once

#include <cstdint>

#include "vgpu/wave/instruction.h"

namespace vgpu {

// Whether registers are written whole, so that a load into one half of a register clears the other
// half. The GPU model decides, unless a ScopedSramEcc lives.
bool HasSramEcc();

// While a ScopedSramEcc lives, its argument decides, not the GPU model. No other thread may run
// waves.
class ScopedSramEcc {
 public:
  explicit ScopedSramEcc(bool on);
  ~ScopedSramEcc();
  ScopedSramEcc(const ScopedSramEcc&) = delete;
  ScopedSramEcc& operator=(const ScopedSramEcc&) = delete;
};

// `replaces` and `find` of gfx90a's row (isa.h).
bool ReplacesOnGfx90a(Format format, uint16_t opcode);
Handler FindGfx90a(Format format, Segment segment, uint16_t opcode);

// Sets the fields of a decoded memory instruction that only gfx90a has: its data may be in
// accumulation registers.
void FinishGfx90a(Instruction* instruction);

// The handler of a product of matrices, by its number among kVop3p. nullptr: the opcode is none.
Handler FindMatrix(uint16_t opcode);

}  // namespace vgpu
