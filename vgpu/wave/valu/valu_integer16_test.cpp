// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "vgpu/wave/valu/valu_test_support.h"

namespace vgpu::valu::test::integer16 {
namespace {

using U16 = uint16_t;
using I16 = int16_t;
using U32 = uint32_t;
using I32 = int32_t;
using I64 = int64_t;

const Options kKeepsHigh = {.keeps_high = true};
const Options kToHigh = {.to_high = true};

U16 Low(I64 exact) { return static_cast<U16>(exact); }
U16 ClampUnsigned(I64 exact) { return Low(std::clamp<I64>(exact, 0, 0xffff)); }
U16 ClampSigned(I64 exact) { return Low(std::clamp<I64>(exact, -0x8000, 0x7fff)); }

TEST(ValuInteger16, AddsAndSubtracts) {
  ExpectLanes("v_add_u16", [](U16 a, U16 b) { return Low(I64{a} + b); });
  ExpectLanes("v_sub_u16", [](U16 a, U16 b) { return Low(I64{a} - b); });
  ExpectLanes("v_subrev_u16", [](U16 a, U16 b) { return Low(I64{b} - a); });
  ExpectLanes(
      "v_add_i16", [](I16 a, I16 b) { return Low(I64{a} + b); }, kKeepsHigh);
  ExpectLanes(
      "v_add_i16_to_high", [](I16 a, I16 b) { return Low(I64{a} + b); }, kToHigh);
  ExpectLanes(
      "v_sub_i16", [](I16 a, I16 b) { return Low(I64{a} - b); }, kKeepsHigh);
}

TEST(ValuInteger16, ClampSaturates) {
  ExpectLanes("v_add_u16_clamp", [](U16 a, U16 b) { return ClampUnsigned(I64{a} + b); });
  ExpectLanes("v_sub_u16_clamp", [](U16 a, U16 b) { return ClampUnsigned(I64{a} - b); });
  ExpectLanes(
      "v_add_i16_clamp", [](I16 a, I16 b) { return ClampSigned(I64{a} + b); }, kKeepsHigh);
  ExpectLanes(
      "v_sub_i16_clamp", [](I16 a, I16 b) { return ClampSigned(I64{a} - b); }, kKeepsHigh);
}

TEST(ValuInteger16, MultipliesAndShifts) {
  ExpectLanes("v_mul_lo_u16", [](U16 a, U16 b) { return Low(I64{a} * b); });
  ExpectLanes("v_lshlrev_b16", [](U16 a, U16 b) { return Low(I64{b} << a % 16); });
  ExpectLanes("v_lshrrev_b16", [](U16 a, U16 b) { return Low(b >> a % 16); });
  ExpectLanes("v_ashrrev_i16", [](U16 a, I16 b) { return Low(b >> a % 16); });
}

template <class T, int position>
T Sorted3(T a, T b, T c) {
  std::array<T, 3> values = {a, b, c};
  std::sort(values.begin(), values.end());
  return values[position];
}

TEST(ValuInteger16, FindsMinimumMaximumAndMedian) {
  ExpectLanes("v_min_u16", [](U16 a, U16 b) { return a < b ? a : b; });
  ExpectLanes("v_max_u16", [](U16 a, U16 b) { return a < b ? b : a; });
  ExpectLanes("v_min_i16", [](I16 a, I16 b) { return a < b ? a : b; });
  ExpectLanes("v_max_i16", [](I16 a, I16 b) { return a < b ? b : a; });
  ExpectLanes("v_min3_u16", Sorted3<U16, 0>, kKeepsHigh);
  ExpectLanes("v_med3_u16", Sorted3<U16, 1>, kKeepsHigh);
  ExpectLanes("v_max3_u16", Sorted3<U16, 2>, kKeepsHigh);
  ExpectLanes("v_min3_i16", Sorted3<I16, 0>, kKeepsHigh);
  ExpectLanes("v_med3_i16", Sorted3<I16, 1>, kKeepsHigh);
  ExpectLanes("v_max3_i16", Sorted3<I16, 2>, kKeepsHigh);
}

TEST(ValuInteger16, MultipliesAndAdds) {
  const auto mad = [](U16 a, U16 b, U16 c) { return Low(I64{a} * b + c); };
  const auto signed_mad = [](I16 a, I16 b, I16 c) { return Low(I64{a} * b + c); };
  ExpectLanes("v_mad_legacy_u16", mad);
  ExpectLanes("v_mad_legacy_i16", signed_mad);
  ExpectLanes("v_mad_u16", mad, kKeepsHigh);
  ExpectLanes("v_mad_u16_to_high", mad, kToHigh);
  ExpectLanes("v_mad_i16", signed_mad, kKeepsHigh);
  ExpectLanes(
      "v_mad_u16_clamp", [](U16 a, U16 b, U16 c) { return ClampUnsigned(I64{a} * b + c); },
      kKeepsHigh);
  ExpectLanes(
      "v_mad_i16_clamp", [](I16 a, I16 b, I16 c) { return ClampSigned(I64{a} * b + c); },
      kKeepsHigh);
}

TEST(ValuInteger16, MultipliesAndAddsInto32Bits) {
  ExpectLanes("v_mad_u32_u16",
              [](U16 a, U16 b, U32 c) { return static_cast<U32>(I64{a} * b + c); });
  ExpectLanes("v_mad_u32_u16_clamp", [](U16 a, U16 b, U32 c) {
    return static_cast<U32>(std::min<I64>(I64{a} * b + c, 0xffffffff));
  });
  ExpectLanes("v_mad_u32_u16_from_high",
              [](U32 a, U16 b, U32 c) { return static_cast<U32>(I64{a >> 16} * b + c); });
  ExpectLanes("v_mad_i32_i16",
              [](I16 a, I16 b, I32 c) { return static_cast<U32>(I64{a} * b + c); });
  ExpectLanes("v_mad_i32_i16_clamp", [](I16 a, I16 b, I32 c) {
    return static_cast<U32>(std::clamp<I64>(I64{a} * b + c, -0x80000000ll, 0x7fffffff));
  });
}

}  // namespace
}  // namespace vgpu::valu::test::integer16
