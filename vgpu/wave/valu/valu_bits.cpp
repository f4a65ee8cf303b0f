// SPDX-License-Identifier: MIT
// Bit operations: logic, shifts, fields, counts.
#include <bit>

#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

// Bits of `value` from `offset`; a width of 0 gives 0. Bits past bit 31 are zeros.
[[gnu::always_inline]] inline U32 ExtractField(U32 value, U32 offset, U32 width) {
  return value >> (offset & 31) & ((1u << (width & 31)) - 1);
}
// A field as a signed number. Bits past bit 31 are copies of the sign.
[[gnu::always_inline]] inline I32 ExtractSignedField(I32 value, U32 offset, U32 width) {
  const U32 bits = width & 31;
  const U32 shifted = static_cast<U32>(value >> (offset & 31));
  const U32 unused = (32 - bits) & 31;
  return bits == 0 ? 0 : static_cast<I32>(shifted << unused) >> unused;
}

[[gnu::always_inline]] inline U32 ReverseBits(U32 value) {
  U32 v = value;
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  v = (v >> 8 & 0x00ff00ff) | (v & 0x00ff00ff) << 8;
  return v >> 16 | v << 16;
}

[[gnu::always_inline]] inline U32 FirstBitHigh(U32 value) {
  return value != 0 ? static_cast<U32>(std::countl_zero(value)) : ~0u;
}
[[gnu::always_inline]] inline U32 FirstBitLow(U32 value) {
  return value != 0 ? static_cast<U32>(std::countr_zero(value)) : ~0u;
}
// The first bit, from the top, that differs from the sign.
[[gnu::always_inline]] inline U32 FirstBitHighSigned(I32 value) {
  return FirstBitHigh(static_cast<U32>(value ^ (value >> 31)));
}

[[gnu::always_inline]] inline U32 CountBits(U32 value) {
  U32 v = value;
  v = v - (v >> 1 & 0x55555555);
  v = (v & 0x33333333) + (v >> 2 & 0x33333333);
  v = (v + (v >> 4)) & 0x0f0f0f0f;
  return v * 0x01010101 >> 24;
}

// Bits of a mask's low or high half that belong to lanes below this one.
[[gnu::always_inline]] inline U32 LowLanesBelow(LaneIndex lane) {
  return lane.value < 32 ? (1u << (lane.value & 31)) - 1 : ~0u;
}
[[gnu::always_inline]] inline U32 HighLanesBelow(LaneIndex lane) {
  return lane.value < 32 ? 0 : (1u << (lane.value & 31)) - 1;
}

[[gnu::always_inline]] inline U32 AlignBits(U32 high, U32 low, U32 shift) {
  return static_cast<U32>((U64{high} << 32 | low) >> shift);
}

// One byte of the result of v_perm: 0-7 pick a byte of {high, low}, 8-11 the sign of one of its
// words, 12 is 0x00, more is 0xff.
[[gnu::always_inline]] inline U32 PermutedByte(U64 bytes, U32 select) {
  const U32 picked = static_cast<U32>(bytes >> 8 * (select & 7)) & 0xff;
  const U32 sign = (bytes >> (16 * (select & 3) + 15) & 1) != 0 ? 0xff : 0;
  if (select < 8) return picked;
  if (select < 12) return sign;
  return select == 12 ? 0 : 0xff;
}
U32 Permute(U32 high, U32 low, U32 selects) {
  const U64 bytes = U64{high} << 32 | low;
  U32 result = 0;
  for (int i = 0; i < 4; ++i) {
    result |= PermutedByte(bytes, selects >> 8 * i & 0xff) << 8 * i;
  }
  return result;
}

constexpr OpcodeHandler kHandlers[] = {
    {isa::V_v_and_b32, Map<[](U32 a, U32 b) { return a & b; }>},
    {isa::V_v_or_b32, Map<[](U32 a, U32 b) { return a | b; }>},
    {isa::V_v_xor_b32, Map<[](U32 a, U32 b) { return a ^ b; }>},
    {isa::V_v_xnor_b32, Map<[](U32 a, U32 b) { return ~(a ^ b); }>},
    {isa::V_v_not_b32, Map<[](U32 a) { return ~a; }>},
    {isa::V_v_and_or_b32, Map<[](U32 a, U32 b, U32 c) { return (a & b) | c; }>},
    {isa::V_v_or3_b32, Map<[](U32 a, U32 b, U32 c) { return a | b | c; }>},
    {isa::V_v_lshl_or_b32, Map<[](U32 a, U32 b, U32 c) { return a << (b & 31) | c; }>},
    {isa::V_v_lshlrev_b32, Map<[](U32 a, U32 b) { return b << (a & 31); }>},
    {isa::V_v_lshrrev_b32, Map<[](U32 a, U32 b) { return (b >> (a & 31)); }>},
    {isa::V_v_ashrrev_i32, Map<[](U32 a, I32 b) { return (b >> (a & 31)); }>},
    {isa::V_v_lshlrev_b64, Map<[](U32 a, U64 b) { return b << (a & 63); }>},
    {isa::V_v_lshrrev_b64, Map<[](U32 a, U64 b) { return (b >> (a & 63)); }>},
    {isa::V_v_ashrrev_i64, Map<[](U32 a, I64 b) { return (b >> (a & 63)); }>},
    {isa::V_v_bfe_u32, Map<ExtractField>},
    {isa::V_v_bfe_i32, Map<ExtractSignedField>},
    {isa::V_v_bfi_b32, Map<[](U32 mask, U32 a, U32 b) { return (mask & a) | (~mask & b); }>},
    {isa::V_v_bfm_b32, Map<[](U32 a, U32 b) { return ((1u << (a & 31)) - 1) << (b & 31); }>},
    {isa::V_v_alignbit_b32, Map<[](U32 a, U32 b, U32 c) { return AlignBits(a, b, c & 31); }>},
    {isa::V_v_alignbyte_b32, Map<[](U32 a, U32 b, U32 c) { return AlignBits(a, b, 8 * (c & 3)); }>},
    {isa::V_v_perm_b32, Map<Permute>},
    {isa::V_v_bfrev_b32, Map<ReverseBits>},
    {isa::V_v_ffbh_u32, Map<FirstBitHigh>},
    {isa::V_v_ffbl_b32, Map<FirstBitLow>},
    {isa::V_v_ffbh_i32, Map<FirstBitHighSigned>},
    {isa::V_v_bcnt_u32_b32, Map<[](U32 a, U32 b) { return CountBits(a) + b; }>},
    {isa::V_v_mbcnt_lo_u32_b32,
     Map<[](U32 a, U32 b, LaneIndex lane) { return CountBits(a & LowLanesBelow(lane)) + b; }>},
    {isa::V_v_mbcnt_hi_u32_b32,
     Map<[](U32 a, U32 b, LaneIndex lane) { return CountBits(a & HighLanesBelow(lane)) + b; }>},
};

}  // namespace

std::span<const OpcodeHandler> BitHandlers() { return kHandlers; }

}  // namespace vgpu::valu
