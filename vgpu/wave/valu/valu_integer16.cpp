// SPDX-License-Identifier: MIT
// 16-bit integer arithmetic. The high half of the destination becomes 0, except for instructions
// with op_sel (HalfRegister), which preserve the half that they do not write.
#include <algorithm>

#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

using HighU16 = HalfRegister<U16>;
using HighI16 = HalfRegister<I16>;

[[gnu::always_inline]] inline U16 Mad(U16 a, U16 b, U16 c, Saturate saturate) {
  return Narrow<U16>(I64{a} * b + c, saturate);
}
[[gnu::always_inline]] inline I16 SignedMad(I16 a, I16 b, I16 c, Saturate saturate) {
  return Narrow<I16>(I32{a} * b + c, saturate);
}

constexpr OpcodeHandler kHandlers[] = {
    {isa::V_v_add_u16, Map<[](U16 a, U16 b, Saturate s) { return Narrow<U16>(I32{a} + b, s); }>},
    {isa::V_v_sub_u16, Map<[](U16 a, U16 b, Saturate s) { return Narrow<U16>(I32{a} - b, s); }>},
    {isa::V_v_subrev_u16, Map<[](U16 a, U16 b, Saturate s) { return Narrow<U16>(I32{b} - a, s); }>},
    {isa::V_v_add_i16,
     Map<[](I16 a, I16 b, Saturate s) { return HighI16{Narrow<I16>(a + b, s)}; }>},
    {isa::V_v_sub_i16,
     Map<[](I16 a, I16 b, Saturate s) { return HighI16{Narrow<I16>(a - b, s)}; }>},
    {isa::V_v_mul_lo_u16, Map<[](U16 a, U16 b) { return static_cast<U16>(U32{a} * b); }>},
    {isa::V_v_lshlrev_b16, Map<[](U16 a, U16 b) { return static_cast<U16>(b << (a & 15)); }>},
    {isa::V_v_lshrrev_b16, Map<[](U16 a, U16 b) { return static_cast<U16>(b >> (a & 15)); }>},
    {isa::V_v_ashrrev_i16, Map<[](U16 a, I16 b) { return static_cast<I16>(b >> (a & 15)); }>},
    {isa::V_v_min_u16, Map<[](U16 a, U16 b) { return std::min(a, b); }>},
    {isa::V_v_max_u16, Map<[](U16 a, U16 b) { return std::max(a, b); }>},
    {isa::V_v_min_i16, Map<[](I16 a, I16 b) { return std::min(a, b); }>},
    {isa::V_v_max_i16, Map<[](I16 a, I16 b) { return std::max(a, b); }>},
    {isa::V_v_min3_u16, Map<[](U16 a, U16 b, U16 c) { return HighU16{Least3(a, b, c)}; }>},
    {isa::V_v_max3_u16, Map<[](U16 a, U16 b, U16 c) { return HighU16{Most3(a, b, c)}; }>},
    {isa::V_v_med3_u16, Map<[](U16 a, U16 b, U16 c) { return HighU16{Middle3(a, b, c)}; }>},
    {isa::V_v_min3_i16, Map<[](I16 a, I16 b, I16 c) { return HighI16{Least3(a, b, c)}; }>},
    {isa::V_v_max3_i16, Map<[](I16 a, I16 b, I16 c) { return HighI16{Most3(a, b, c)}; }>},
    {isa::V_v_med3_i16, Map<[](I16 a, I16 b, I16 c) { return HighI16{Middle3(a, b, c)}; }>},
    {isa::V_v_mad_legacy_u16, Map<Mad>},
    {isa::V_v_mad_legacy_i16, Map<SignedMad>},
    {isa::V_v_mad_u16,
     Map<[](U16 a, U16 b, U16 c, Saturate s) { return HighU16{Mad(a, b, c, s)}; }>},
    {isa::V_v_mad_i16,
     Map<[](I16 a, I16 b, I16 c, Saturate s) { return HighI16{SignedMad(a, b, c, s)}; }>},
    {isa::V_v_mad_u32_u16,
     Map<[](U16 a, U16 b, U32 c, Saturate s) { return AddUpTo(U32{a} * b, c, s); }>},
    {isa::V_v_mad_i32_i16,
     Map<[](I16 a, I16 b, I32 c, Saturate s) { return Narrow<I32>(I64{a} * b + c, s); }>},
};

}  // namespace

std::span<const OpcodeHandler> Integer16Handlers() { return kHandlers; }

}  // namespace vgpu::valu
