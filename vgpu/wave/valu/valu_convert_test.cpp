// SPDX-License-Identifier: MIT
#include <algorithm>

#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test {
namespace {

using U16 = uint16_t;
using I16 = int16_t;
using U32 = uint32_t;
using I32 = int32_t;
using I64 = int64_t;

// An integral value as an integer of the given range; NaN is 0.
I64 Bounded(double integral, I64 least, I64 most) {
  if (std::isnan(integral)) return 0;
  if (integral <= static_cast<double>(least)) return least;
  if (integral >= static_cast<double>(most)) return most;
  return static_cast<I64>(integral);
}
U32 ToU32(double value) { return static_cast<U32>(Bounded(std::trunc(value), 0, 0xffffffff)); }
U32 ToI32(double integral) {
  return static_cast<U32>(Bounded(integral, -0x80000000ll, 0x7fffffff));
}

TEST(ValuConvert, IntegersToSingle) {
  ExpectLanes("v_cvt_f32_i32", [](I32 a) { return static_cast<float>(double(a)); });
  ExpectLanes("v_cvt_f32_u32", [](U32 a) { return static_cast<float>(double(a)); });
  ExpectLanes("v_cvt_f32_ubyte0", [](U32 a) { return static_cast<float>(a % 256); });
  ExpectLanes("v_cvt_f32_ubyte1", [](U32 a) { return static_cast<float>(a / 256 % 256); });
  ExpectLanes("v_cvt_f32_ubyte2", [](U32 a) { return static_cast<float>(a / 65536 % 256); });
  ExpectLanes("v_cvt_f32_ubyte3", [](U32 a) { return static_cast<float>(a / 16777216); });
  ExpectLanes("v_cvt_off_f32_i4", [](U32 a) {
    const int low = static_cast<int>(a % 16);
    return static_cast<float>(low >= 8 ? low - 16 : low) / 16;
  });
}

TEST(ValuConvert, SingleToIntegers) {
  ExpectLanes("v_cvt_u32_f32", [](float a) { return ToU32(a); });
  ExpectLanes("v_cvt_i32_f32", [](float a) { return ToI32(std::trunc(double{a})); });
  ExpectLanes("v_cvt_flr_i32_f32", [](float a) { return ToI32(std::floor(double{a})); });
  ExpectLanes("v_cvt_rpi_i32_f32", [](float a) {
    const auto sum = static_cast<float>(double{a} + 0.5);
    return ToI32(std::floor(double{sum}));
  });
}

TEST(ValuConvert, BetweenDoubleAndOthers) {
  ExpectLanes("v_cvt_f64_i32", [](I32 a) { return static_cast<double>(a); });
  ExpectLanes("v_cvt_f64_u32", [](U32 a) { return static_cast<double>(a); });
  ExpectLanes("v_cvt_i32_f64", [](double a) { return ToI32(std::trunc(a)); });
  ExpectLanes("v_cvt_u32_f64", [](double a) { return ToU32(a); });
  ExpectLanes("v_cvt_f64_f32", [](float a) {
    if (!IsNan(a)) return BitsOf(static_cast<double>(a));
    const uint64_t payload = BitsOf(a) & 0x3fffff;
    return (uint64_t{BitsOf(a)} >> 31 << 63) | 0x7ff8000000000000 | payload << 29;
  });
  ExpectLanes("v_cvt_f32_f64", [](double a) {
    if (!IsNan(a)) return BitsOf(static_cast<float>(a));
    const U32 payload = static_cast<U32>(BitsOf(a) >> 29) & 0x3fffff;
    return (static_cast<U32>(BitsOf(a) >> 63) << 31) | 0x7fc00000 | payload;
  });
}

U16 HalfBits(double value) { return BitsOf(static_cast<Half>(value)); }

TEST(ValuConvert, BetweenHalfAndOthers) {
  ExpectLanes("v_cvt_f16_f32", [](float a) {
    if (!IsNan(a)) return HalfBits(a);
    return static_cast<U16>((BitsOf(a) >> 16 & 0x8000) | 0x7e00 | (BitsOf(a) >> 13 & 0x1ff));
  });
  ExpectLanes("v_cvt_f32_f16", [](Half a) {
    const U32 bits = BitsOf(a);
    if (IsNan(a)) return (bits & 0x8000) << 16 | 0x7fc00000 | (bits & 0x1ff) << 13;
    const double fraction = bits & 0x3ff;
    const int exponent = static_cast<int>(bits >> 10 & 0x1f);
    double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) magnitude = INFINITY;
    return BitsOf(static_cast<float>((bits & 0x8000) != 0 ? -magnitude : magnitude));
  });
  ExpectLanes("v_cvt_f16_u16", [](U16 a) { return HalfBits(a); });
  ExpectLanes("v_cvt_f16_i16", [](I16 a) { return HalfBits(a); });
  ExpectLanes("v_cvt_u16_f16",
              [](Half a) { return static_cast<U16>(Bounded(std::trunc(double{a}), 0, 0xffff)); });
  ExpectLanes("v_cvt_i16_f16", [](Half a) {
    return static_cast<U16>(Bounded(std::trunc(double{a}), -0x8000, 0x7fff));
  });
}

// [-1, 1] onto 16 bits.
U16 SignedNorm(double value) {
  return static_cast<U16>(
      Bounded(std::nearbyint(static_cast<float>(value) * 32767.0f), -32767, 32767));
}
U16 UnsignedNorm(double value) {
  return static_cast<U16>(Bounded(std::nearbyint(static_cast<float>(value) * 65535.0f), 0, 65535));
}
U32 Packed(U16 low, U16 high) { return low | U32{high} << 16; }

TEST(ValuConvert, NormalizesToIntegers) {
  ExpectLanes("v_cvt_norm_i16_f16", [](Half a) { return SignedNorm(a); });
  ExpectLanes("v_cvt_norm_u16_f16", [](Half a) { return UnsignedNorm(a); });
  ExpectLanes("v_cvt_pknorm_i16_f32",
              [](float a, float b) { return Packed(SignedNorm(a), SignedNorm(b)); });
  ExpectLanes("v_cvt_pknorm_u16_f32",
              [](float a, float b) { return Packed(UnsignedNorm(a), UnsignedNorm(b)); });
  ExpectLanes("v_cvt_pknorm_i16_f16",
              [](Half a, Half b) { return Packed(SignedNorm(a), SignedNorm(b)); });
  ExpectLanes("v_cvt_pknorm_u16_f16",
              [](Half a, Half b) { return Packed(UnsignedNorm(a), UnsignedNorm(b)); });
}

// The largest half whose magnitude is not above the number's.
U16 TruncatedHalf(float value) {
  const U16 sign = static_cast<U16>(BitsOf(value) >> 16 & 0x8000);
  if (IsNan(value)) return sign | 0x7e00 | static_cast<U16>(BitsOf(value) >> 13 & 0x3ff);
  if (std::isinf(value)) return sign | 0x7c00;
  const double magnitude = std::fabs(double{value});
  U16 least = 0;
  U16 beyond = 0x7c00;
  while (beyond - least > 1) {
    const U16 middle = static_cast<U16>((least + beyond) / 2);
    (static_cast<double>(std::bit_cast<Half>(middle)) <= magnitude ? least : beyond) = middle;
  }
  return sign | least;
}

TEST(ValuConvert, PacksHalvesRoundedTowardsZero) {
  ExpectLanes("v_cvt_pkrtz_f16_f32",
              [](float a, float b) { return Packed(TruncatedHalf(a), TruncatedHalf(b)); });
}

TEST(ValuConvert, PacksIntegersWithSaturation) {
  ExpectLanes("v_cvt_pk_u16_u32", [](U32 a, U32 b) {
    return Packed(static_cast<U16>(std::min<U32>(a, 65535)),
                  static_cast<U16>(std::min<U32>(b, 65535)));
  });
  ExpectLanes("v_cvt_pk_i16_i32", [](I32 a, I32 b) {
    return Packed(static_cast<U16>(std::clamp(a, -32768, 32767)),
                  static_cast<U16>(std::clamp(b, -32768, 32767)));
  });
  ExpectLanes("v_sat_pk_u8_i16", [](U32 a) {
    const int low = std::clamp<int>(static_cast<I16>(a & 0xffff), 0, 255);
    const int high = std::clamp<int>(static_cast<I16>(a >> 16), 0, 255);
    return static_cast<U32>(256 * high + low);
  });
}

U32 WithByte(float value, U32 number, U32 old) {
  uint8_t bytes[4];
  std::memcpy(bytes, &old, 4);
  bytes[number % 4] = static_cast<uint8_t>(Bounded(std::nearbyint(value), 0, 255));
  std::memcpy(&old, bytes, 4);
  return old;
}

TEST(ValuConvert, InsertsFloatsAsBytes) {
  ExpectLanes("v_cvt_pk_u8_f32", WithByte);
  ExpectLanes("v_cvt_pkaccum_u8_f32", WithByte, {.registers = {2, 4, kResultRegister}});
}

}  // namespace
}  // namespace vgpu::valu::test
