// SPDX-License-Identifier: MIT
// The instructions of gfx942 that gfx90a lacks (gfx942.h).
#include <cmath>
#include <cstdint>

#include "spec/isa/gfx940_opcodes.h"
#include "vgpu/wave/gfx942.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/matrix/float8.h"
#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"

namespace vgpu {
namespace {

namespace isa942 = ::isa::gfx940;
using valu::ByteSelect;
using valu::Destination;
using valu::HalfRegister;
using valu::Literal;
using valu::Map;
using valu::Raw;
using valu::SmallOverflow;

// Two 8-bit floats of a word.
template <class Format>
uint64_t UnpackPair(uint32_t word) {
  const uint64_t low = std::bit_cast<uint32_t>(Format::ToSingle(static_cast<uint8_t>(word)));
  const uint64_t high = std::bit_cast<uint32_t>(Format::ToSingle(static_cast<uint8_t>(word >> 8)));
  return low | high << 32;
}

template <class Format>
HalfRegister<uint16_t> PackPair(Raw<float> low, Raw<float> high, SmallOverflow overflow) {
  const uint32_t first = Format::Nearest(low.bits, overflow.clamps);
  const uint32_t second = Format::Nearest(high.bits, overflow.clamps);
  return {static_cast<uint16_t>(first | second << 8)};
}

// Rounds stochastically (float8.h), into one byte of the destination.
template <class Format>
uint32_t PackStochastic(Raw<float> value, uint32_t random, Destination<uint32_t> old,
                        ByteSelect byte, SmallOverflow overflow) {
  const uint32_t bits = Format::Stochastic(value.bits, random, overflow.clamps);
  return (old.value & ~(0xffu << byte.shift)) | bits << byte.shift;
}

constexpr OpcodeHandler kVectorEntries[] = {
    {isa942::V_v_fmamk_f32,
     Map<[](float a, Literal<float> k, float b) { return std::fma(a, k.value, b); }>},
    {isa942::V_v_fmaak_f32,
     Map<[](float a, float b, Literal<float> k) { return std::fma(a, b, k.value); }>},
    {isa942::V_v_mov_b64, Map<[](uint64_t value) { return value; }>},
    {isa942::V_v_lshl_add_u64,
     Map<[](uint64_t a, uint32_t shift, uint64_t b) { return (a << (shift & 7)) + b; }>},
    {isa942::V_v_cvt_f32_fp8, Map<[](uint32_t a) { return Float8::ToSingle(a & 0xff); }>},
    {isa942::V_v_cvt_f32_bf8, Map<[](uint32_t a) { return BrainFloat8::ToSingle(a & 0xff); }>},
    {isa942::V_v_cvt_pk_f32_fp8, Map<UnpackPair<Float8>>},
    {isa942::V_v_cvt_pk_f32_bf8, Map<UnpackPair<BrainFloat8>>},
    {isa942::V_v_cvt_pk_fp8_f32, Map<PackPair<Float8>>},
    {isa942::V_v_cvt_pk_bf8_f32, Map<PackPair<BrainFloat8>>},
    {isa942::V_v_cvt_sr_fp8_f32, Map<PackStochastic<Float8>>},
    {isa942::V_v_cvt_sr_bf8_f32, Map<PackStochastic<BrainFloat8>>},
};
constexpr auto kVectorTable = MakeTable<1024>(kVectorEntries);

}  // namespace

bool ReplacesOnGfx942(Format format, uint16_t opcode) {
  if (HasOtherName(FindIsa(0x942), format, opcode)) return true;
  return format == Format::kVop3p && FindMatrix942(opcode) != nullptr;  // same name, other sums
}

Handler FindGfx942(Format format, Segment segment, uint16_t opcode) {
  switch (format) {
    case Format::kVector:
      return Find(kVectorTable, opcode);
    case Format::kVop3p:
      return FindMatrix942(opcode);
    case Format::kDs:
      return FindDs(opcode);
    case Format::kFlat:
      return FindFlat(segment, opcode);
    case Format::kMubuf:
      return opcode == isa942::MUBUF_buffer_inv ? NoOperation : nullptr;
    default:
      return nullptr;
  }
}

void FinishGfx942(Instruction* instruction) {
  if (instruction->format != Format::kFlat) return;
  instruction->uses_vaddr = instruction->lds;  // on gfx90a the same bit says LDS
  instruction->lds = false;
  const uint16_t first = isa942::FLAT_global_load_lds_ubyte;
  if (instruction->segment == Segment::kGlobal && instruction->opcode >= first &&
      instruction->opcode <= isa942::FLAT_global_load_lds_dword) {
    instruction->lds = true;
    instruction->opcode =
        static_cast<uint16_t>(isa942::FLAT_global_load_ubyte + instruction->opcode - first);
  }
}

}  // namespace vgpu
