// SPDX-License-Identifier: MIT
// gfx90a.h: what differs when waves run gfx90a code (CDNA2). Most of it is gfx906's: the formats,
// and nearly all opcodes under the same numbers. Here is what was added, or stands where gfx906 has
// something else.
//
//   registers    work-item ids are packed into v0; accumulation registers, a0 to a255
//   opcodes      packed float32, v_fmac_f64, dot products that accumulate, float atomics, write-back
//                and invalidation of the L2 cache, products of matrices (valu_matrix.cpp)
//   DPP          one lane of each row for the whole row; 64-bit operands
//
// Threads    any
#pragma once

#include <cstdint>

#include "vgpu/wave/handlers.h"

namespace vgpu {

// Whether waves run gfx90a code: by the model of the GPUs, or by a ScopedGfx90a.
bool RunsGfx90a();

// While it lives, gfx90a code is what is decoded and run. No other thread may run waves.
class ScopedGfx90a {
 public:
  ScopedGfx90a();
  ~ScopedGfx90a();
  ScopedGfx90a(const ScopedGfx90a&) = delete;
  ScopedGfx90a& operator=(const ScopedGfx90a&) = delete;
};

// Whether registers are written whole: loads into one half of a register clear the other one. By the
// model of the GPUs, or by a ScopedSramEcc.
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

// What the bits of a decoded memory instruction say besides: its data may be in accumulation
// registers.
void FinishGfx90a(Instruction* instruction);

// Products of matrices, by their number among kVop3p. nullptr: another instruction.
Handler FindMatrix(uint16_t opcode);

}  // namespace vgpu
