// SPDX-License-Identifier: MIT
// handlers.h: the opcode tables of the formats. nullptr: the opcode is not implemented.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "vgpu/wave/instruction.h"

namespace vgpu {

Handler FindSop2(uint16_t opcode);
Handler FindSopk(uint16_t opcode);
Handler FindSop1(uint16_t opcode);
Handler FindSopc(uint16_t opcode);
Handler FindSopp(uint16_t opcode);
Handler FindSmem(uint16_t opcode);
Handler FindDs(uint16_t opcode);
Handler FindFlat(Segment segment, uint16_t opcode);
Handler FindMubuf(uint16_t opcode);

// Loads straight into LDS. nullptr: the opcode has no such form.
Handler FindFlatToLds(Segment segment, uint16_t opcode);
Handler FindMubufToLds(uint16_t opcode);

// Any format; `segment` matters to kFlat only.
Handler FindHandler(Format format, Segment segment, uint16_t opcode);

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
