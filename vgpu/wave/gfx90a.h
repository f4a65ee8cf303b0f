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

#include "vgpu/wave/handlers.h"

namespace vgpu {

// Whether waves run gfx90a code, or gfx942's, which extends it (gfx942.h): the model of the GPUs
// decides, or a ScopedGfx90a.
bool RunsGfx90a();

// While it lives, gfx90a code is what is decoded and run. No other thread may run waves.
class ScopedGfx90a {
 public:
  ScopedGfx90a();
  ~ScopedGfx90a();
  ScopedGfx90a(const ScopedGfx90a&) = delete;
  ScopedGfx90a& operator=(const ScopedGfx90a&) = delete;
};

// Whether registers are written whole: loads into one half of a register clear the other one. The
// model of the GPUs decides, or a ScopedSramEcc.
bool HasSramEcc();

// While it lives, SRAM-ECC is on or off. No other thread may run waves.
class ScopedSramEcc {
 public:
  explicit ScopedSramEcc(bool on);
  ~ScopedSramEcc();
  ScopedSramEcc(const ScopedSramEcc&) = delete;
  ScopedSramEcc& operator=(const ScopedSramEcc&) = delete;
};

// nullptr: as in gfx906.
Handler FindGfx90a(Format format, uint16_t opcode);
// The mnemonic; nullptr: gfx90a has no such instruction.
const char* Gfx90aName(Format format, uint16_t opcode);

// Further bits of a decoded memory instruction: its data may be in accumulation registers.
void FinishGfx90a(Instruction* instruction);

// Products of matrices, by their number among kVop3p. nullptr: another instruction.
Handler FindMatrix(uint16_t opcode);

}  // namespace vgpu
