// SPDX-License-Identifier: MIT
// handlers.h: the opcodes and the tables of the formats. nullptr: the opcode is not implemented.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "spec/isa/gfx9_opcodes.h"
#include "vgpu/wave/instruction.h"

namespace vgpu {

namespace isa = ::isa::gfx9;

Handler FindSop2(uint16_t opcode);
Handler FindSopk(uint16_t opcode);
Handler FindSop1(uint16_t opcode);
Handler FindSopc(uint16_t opcode);
Handler FindSopp(uint16_t opcode);
Handler FindSmem(uint16_t opcode);
Handler FindVector(uint16_t opcode);  // VOP1, VOP2, VOPC and VOP3, with SDWA, DPP and modifiers
Handler FindVop3p(uint16_t opcode);   // packed 16-bit, mixed precision and dot products
Handler FindDs(uint16_t opcode);
Handler FindFlat(Segment segment, uint16_t opcode);
Handler FindMubuf(uint16_t opcode);

// The parts of DS in files of their own. nullptr: the opcode is in another part.
Handler FindDsAtomic(uint16_t opcode);    // read-modify-write, append and consume
Handler FindDsGws(uint16_t opcode);       // global wave sync
Handler FindDsExchange(uint16_t opcode);  // swizzle, permute: between lanes, LDS is not touched

// Loads straight into LDS. nullptr: the opcode has no such form.
Handler FindFlatToLds(Segment segment, uint16_t opcode);
Handler FindMubufToLds(uint16_t opcode);

// Any format; `segment` matters to kFlat only.
Handler FindHandler(Format format, Segment segment, uint16_t opcode);

// A handler of a common load or store that works on all lanes of a wave at once. Translated code
// calls it. nullptr: the instruction has no such handler, or the host has no AVX-512.
Handler FasterHandler(const Instruction& instruction);

// The handler of instructions without an effect that a program can see: caches are coherent, and
// nothing is outstanding.
inline bool NoOperation(Wave&, const Instruction&, ExecutionContext&) { return true; }

// One line of an opcode table.
struct OpcodeHandler {
  uint16_t opcode;
  Handler handler;
};

template <size_t kSize>
using HandlerTable = std::array<Handler, kSize>;

// The table as an array indexed by opcode. Not constant (a build error) if an opcode is out of
// range.
template <size_t kSize, size_t kCount>
constexpr HandlerTable<kSize> MakeTable(const OpcodeHandler (&entries)[kCount]) {
  HandlerTable<kSize> table = {};
  for (const OpcodeHandler& entry : entries) table[entry.opcode] = entry.handler;
  return table;
}

template <size_t kSize>
constexpr Handler Find(const HandlerTable<kSize>& table, uint16_t opcode) {
  return opcode < kSize ? table[opcode] : nullptr;
}

}  // namespace vgpu
