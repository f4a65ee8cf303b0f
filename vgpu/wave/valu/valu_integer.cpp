// SPDX-License-Identifier: MIT
// 32-bit and 64-bit integer arithmetic. The clamp modifier saturates where an instruction has it.
#include <algorithm>
#include <cstdint>

#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

constexpr int kIntBits = 32;

[[gnu::always_inline]] inline uint32_t Subtract(uint32_t a, uint32_t b, Saturate saturate) {
  return saturate.on && a < b ? 0 : a - b;
}

// `wrapped` is the exact result modulo 2^32. `overflow`: `wrapped` is not the exact result.
// `negative`: the exact result is negative.
[[gnu::always_inline]] inline int32_t SaturateSigned(uint32_t wrapped, bool overflow, bool negative,
                                                     Saturate saturate) {
  const uint32_t limit = negative ? 0x80000000u : 0x7fffffffu;
  return static_cast<int32_t>(saturate.on && overflow ? limit : wrapped);
}
[[gnu::always_inline]] inline int32_t AddSigned(int32_t a, int32_t b, Saturate saturate) {
  const uint32_t sum = static_cast<uint32_t>(a) + static_cast<uint32_t>(b);
  const bool overflow = static_cast<int32_t>((a ^ sum) & (b ^ sum)) < 0;
  return SaturateSigned(sum, overflow, a < 0, saturate);
}
[[gnu::always_inline]] inline int32_t SubtractSigned(int32_t a, int32_t b, Saturate saturate) {
  const uint32_t difference = static_cast<uint32_t>(a) - static_cast<uint32_t>(b);
  const bool overflow = static_cast<int32_t>((a ^ b) & (a ^ difference)) < 0;
  return SaturateSigned(difference, overflow, a < 0, saturate);
}

using Carried = Flagged<uint32_t>;

[[gnu::always_inline]] inline Carried AddCarry(uint32_t a, uint32_t b, bool carry,
                                               Saturate saturate) {
  const uint32_t partial = a + b;
  const uint32_t sum = partial + (carry ? 1 : 0);
  const bool out = (partial < a) | (sum < partial);
  return {saturate.on && out ? ~0u : sum, out};
}
[[gnu::always_inline]] inline Carried SubtractBorrow(uint32_t a, uint32_t b, bool borrow,
                                                     Saturate saturate) {
  const uint32_t difference = a - b - (borrow ? 1 : 0);
  const bool out = (a < b) | (borrow && a == b);
  return {saturate.on && out ? 0 : difference, out};
}

constexpr int kShortFactor = 24;  // bits of the factors of the *24 instructions
constexpr uint32_t kShortMask = (1u << kShortFactor) - 1;

[[gnu::always_inline]] inline uint64_t Product24(uint32_t a, uint32_t b) {
  return static_cast<uint64_t>(a & kShortMask) * (b & kShortMask);
}
[[gnu::always_inline]] inline int64_t SignedProduct24(uint32_t a, uint32_t b) {
  const int32_t x = static_cast<int32_t>(a << 8) >> 8;
  const int32_t y = static_cast<int32_t>(b << 8) >> 8;
  return static_cast<int64_t>(x) * y;
}

[[gnu::always_inline]] inline Flagged<uint64_t> Mad64(uint32_t a, uint32_t b, uint64_t c,
                                                      Saturate saturate) {
  const uint64_t product = static_cast<uint64_t>(a) * b;
  const uint64_t sum = product + c;
  const bool carry = sum < product;
  return {saturate.on && carry ? ~uint64_t{0} : sum, carry};
}
// The flag is the carry out of the unsigned addition, as in the unsigned instruction.
[[gnu::always_inline]] inline Flagged<int64_t> SignedMad64(int32_t a, int32_t b, int64_t c,
                                                           Saturate saturate) {
  const int64_t product = static_cast<int64_t>(a) * b;
  const uint64_t sum = static_cast<uint64_t>(product) + static_cast<uint64_t>(c);
  const bool overflow = static_cast<int64_t>((product ^ sum) & (c ^ sum)) < 0;
  const uint64_t limit = product < 0 ? uint64_t{1} << 63 : ~uint64_t{0} >> 1;
  const uint64_t value = saturate.on && overflow ? limit : sum;
  return {static_cast<int64_t>(value), sum < static_cast<uint64_t>(product)};
}

[[gnu::always_inline]] inline uint32_t AbsoluteDifference(uint32_t a, uint32_t b) {
  return a > b ? a - b : b - a;
}

constexpr OpcodeHandler kHandlers[] = {
    {isa::V_v_add_u32, Map<AddUpTo>},
    {isa::V_v_sub_u32, Map<Subtract>},
    {isa::V_v_subrev_u32, Map<[](U32 a, U32 b, Saturate s) { return Subtract(b, a, s); }>},
    {isa::V_v_add_i32, Map<AddSigned>},
    {isa::V_v_sub_i32, Map<SubtractSigned>},
    {isa::V_v_add_co_u32, Map<[](U32 a, U32 b, Saturate s) { return AddCarry(a, b, false, s); }>},
    {isa::V_v_sub_co_u32,
     Map<[](U32 a, U32 b, Saturate s) { return SubtractBorrow(a, b, false, s); }>},
    {isa::V_v_subrev_co_u32,
     Map<[](U32 a, U32 b, Saturate s) { return SubtractBorrow(b, a, false, s); }>},
    {isa::V_v_addc_co_u32,
     Map<[](U32 a, U32 b, LaneBit c, Saturate s) { return AddCarry(a, b, c.set, s); }>},
    {isa::V_v_subb_co_u32,
     Map<[](U32 a, U32 b, LaneBit c, Saturate s) { return SubtractBorrow(a, b, c.set, s); }>},
    {isa::V_v_subbrev_co_u32,
     Map<[](U32 a, U32 b, LaneBit c, Saturate s) { return SubtractBorrow(b, a, c.set, s); }>},
    {isa::V_v_add3_u32, Map<[](U32 a, U32 b, U32 c) { return a + b + c; }>},

    {isa::V_v_mul_lo_u32, Map<[](U32 a, U32 b) { return a * b; }>},
    {isa::V_v_mul_hi_u32,
     Map<[](U32 a, U32 b) { return static_cast<U32>(U64{a} * b >> kIntBits); }>},
    {isa::V_v_mul_hi_i32,
     Map<[](I32 a, I32 b) { return static_cast<I32>(I64{a} * b >> kIntBits); }>},
    {isa::V_v_mul_u32_u24, Map<[](U32 a, U32 b) { return static_cast<U32>(Product24(a, b)); }>},
    {isa::V_v_mul_hi_u32_u24,
     Map<[](U32 a, U32 b) { return static_cast<U32>(Product24(a, b) >> kIntBits); }>},
    {isa::V_v_mul_i32_i24,
     Map<[](U32 a, U32 b) { return static_cast<I32>(SignedProduct24(a, b)); }>},
    {isa::V_v_mul_hi_i32_i24,
     Map<[](U32 a, U32 b) { return static_cast<I32>(SignedProduct24(a, b) >> kIntBits); }>},
    {isa::V_v_mad_u32_u24,
     Map<[](U32 a, U32 b, U32 c, Saturate s) { return Narrow<U32>(Product24(a, b) + c, s); }>},
    {isa::V_v_mad_i32_i24, Map<[](U32 a, U32 b, I32 c, Saturate s) {
       return Narrow<I32>(SignedProduct24(a, b) + c, s);
     }>},
    {isa::V_v_mad_u64_u32, Map<Mad64>},
    {isa::V_v_mad_i64_i32, Map<SignedMad64>},

    {isa::V_v_min_i32, Map<[](I32 a, I32 b) { return std::min(a, b); }>},
    {isa::V_v_max_i32, Map<[](I32 a, I32 b) { return std::max(a, b); }>},
    {isa::V_v_min_u32, Map<[](U32 a, U32 b) { return std::min(a, b); }>},
    {isa::V_v_max_u32, Map<[](U32 a, U32 b) { return std::max(a, b); }>},
    {isa::V_v_min3_i32, Map<Least3<I32>>},
    {isa::V_v_max3_i32, Map<Most3<I32>>},
    {isa::V_v_med3_i32, Map<Middle3<I32>>},
    {isa::V_v_min3_u32, Map<Least3<U32>>},
    {isa::V_v_max3_u32, Map<Most3<U32>>},
    {isa::V_v_med3_u32, Map<Middle3<U32>>},
    {isa::V_v_sad_u32,
     Map<[](U32 a, U32 b, U32 c, Saturate s) { return AddUpTo(AbsoluteDifference(a, b), c, s); }>},

    {isa::V_v_lshl_add_u32, Map<[](U32 a, U32 b, U32 c) { return (a << (b & 31)) + c; }>},
    {isa::V_v_add_lshl_u32, Map<[](U32 a, U32 b, U32 c) { return (a + b) << (c & 31); }>},
    {isa::V_v_xad_u32, Map<[](U32 a, U32 b, U32 c) { return (a ^ b) + c; }>},
};

}  // namespace

std::span<const OpcodeHandler> IntegerHandlers() { return kHandlers; }

}  // namespace vgpu::valu
