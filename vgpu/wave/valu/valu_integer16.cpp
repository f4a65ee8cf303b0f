// SPDX-License-Identifier: MIT
// 16-bit integer arithmetic. The high half of the destination becomes 0, except for instructions
// with op_sel (HalfRegister), which preserve the half that they do not write.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

using U16 = uint16_t;
using I16 = int16_t;
using U32 = uint32_t;
using I32 = int32_t;
using HighU16 = HalfRegister<U16>;
using HighI16 = HalfRegister<I16>;

// The low 16 bits of an exact result, or the nearest 16-bit number.
[[gnu::always_inline]] inline U16 NarrowUnsigned(int64_t exact, Saturate saturate) {
  return static_cast<U16>(saturate.on ? std::clamp<int64_t>(exact, 0, 0xffff) : exact);
}
[[gnu::always_inline]] inline I16 NarrowSigned(I32 exact, Saturate saturate) {
  return static_cast<I16>(saturate.on ? std::clamp(exact, -0x8000, 0x7fff) : exact);
}

[[gnu::always_inline]] inline U16 Mad(U16 a, U16 b, U16 c, Saturate saturate) {
  return NarrowUnsigned(int64_t{a} * b + c, saturate);
}
[[gnu::always_inline]] inline I16 SignedMad(I16 a, I16 b, I16 c, Saturate saturate) {
  return NarrowSigned(I32{a} * b + c, saturate);
}
[[gnu::always_inline]] inline U32 MadWide(U16 a, U16 b, U32 c, Saturate saturate) {
  const U32 product = U32{a} * b;
  const U32 sum = product + c;
  return saturate.on && sum < product ? ~0u : sum;
}
[[gnu::always_inline]] inline I32 SignedMadWide(I16 a, I16 b, I32 c, Saturate saturate) {
  constexpr int64_t kLeast = std::numeric_limits<I32>::min();
  constexpr int64_t kMost = std::numeric_limits<I32>::max();
  const int64_t sum = int64_t{a} * b + c;
  return static_cast<I32>(saturate.on ? std::clamp(sum, kLeast, kMost) : sum);
}

template <class T>
[[gnu::always_inline]] inline HalfRegister<T> Min3(T a, T b, T c) {
  return {std::min(std::min(a, b), c)};
}
template <class T>
[[gnu::always_inline]] inline HalfRegister<T> Max3(T a, T b, T c) {
  return {std::max(std::max(a, b), c)};
}
template <class T>
[[gnu::always_inline]] inline HalfRegister<T> Med3(T a, T b, T c) {
  return {std::max(std::min(a, b), std::min(std::max(a, b), c))};
}

constexpr OpcodeHandler kHandlers[] = {
    {isa::V_v_add_u16, Map<[](U16 a, U16 b, Saturate s) { return NarrowUnsigned(I32{a} + b, s); }>},
    {isa::V_v_sub_u16, Map<[](U16 a, U16 b, Saturate s) { return NarrowUnsigned(I32{a} - b, s); }>},
    {isa::V_v_subrev_u16,
     Map<[](U16 a, U16 b, Saturate s) { return NarrowUnsigned(I32{b} - a, s); }>},
    {isa::V_v_add_i16,
     Map<[](I16 a, I16 b, Saturate s) { return HighI16{NarrowSigned(a + b, s)}; }>},
    {isa::V_v_sub_i16,
     Map<[](I16 a, I16 b, Saturate s) { return HighI16{NarrowSigned(a - b, s)}; }>},
    {isa::V_v_mul_lo_u16, Map<[](U16 a, U16 b) { return static_cast<U16>(U32{a} * b); }>},
    {isa::V_v_lshlrev_b16, Map<[](U16 a, U16 b) { return static_cast<U16>(b << (a & 15)); }>},
    {isa::V_v_lshrrev_b16, Map<[](U16 a, U16 b) { return static_cast<U16>(b >> (a & 15)); }>},
    {isa::V_v_ashrrev_i16, Map<[](U16 a, I16 b) { return static_cast<I16>(b >> (a & 15)); }>},
    {isa::V_v_min_u16, Map<[](U16 a, U16 b) { return std::min(a, b); }>},
    {isa::V_v_max_u16, Map<[](U16 a, U16 b) { return std::max(a, b); }>},
    {isa::V_v_min_i16, Map<[](I16 a, I16 b) { return std::min(a, b); }>},
    {isa::V_v_max_i16, Map<[](I16 a, I16 b) { return std::max(a, b); }>},
    {isa::V_v_min3_u16, Map<Min3<U16>>},
    {isa::V_v_max3_u16, Map<Max3<U16>>},
    {isa::V_v_med3_u16, Map<Med3<U16>>},
    {isa::V_v_min3_i16, Map<Min3<I16>>},
    {isa::V_v_max3_i16, Map<Max3<I16>>},
    {isa::V_v_med3_i16, Map<Med3<I16>>},
    {isa::V_v_mad_legacy_u16, Map<Mad>},
    {isa::V_v_mad_legacy_i16, Map<SignedMad>},
    {isa::V_v_mad_u16,
     Map<[](U16 a, U16 b, U16 c, Saturate s) { return HighU16{Mad(a, b, c, s)}; }>},
    {isa::V_v_mad_i16,
     Map<[](I16 a, I16 b, I16 c, Saturate s) { return HighI16{SignedMad(a, b, c, s)}; }>},
    {isa::V_v_mad_u32_u16, Map<MadWide>},
    {isa::V_v_mad_i32_i16, Map<SignedMadWide>},
};

}  // namespace

std::span<const OpcodeHandler> Integer16Handlers() { return kHandlers; }

}  // namespace vgpu::valu
