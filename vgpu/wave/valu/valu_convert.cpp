// SPDX-License-Identifier: MIT
// Conversions. Floats to integers truncate (unless the name says otherwise) and saturate; NaN is 0.
// Everything that rounds to a float rounds as MODE says, except pkrtz, which truncates.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

[[gnu::always_inline]] inline U32 Pack(U32 low, U32 high) { return (low & 0xffff) | high << 16; }

template <int number>
[[gnu::always_inline]] inline float ByteToFloat(U32 value) {
  return static_cast<float>(static_cast<I32>(value >> 8 * number & 0xff));
}

// Truncates towards zero: finite values never become infinite.
[[gnu::always_inline]] inline U32 TruncateToHalf(float value) {
  constexpr U32 kHalfInfinity = 0x7c00;
  constexpr U32 kLargestHalf = 0x7bff;
  constexpr float kTooLarge = 65536.0f;
  constexpr float kSmallestNormal = 0x1p-14f;
  const U32 bits = ToBits(value);
  const U32 sign = bits >> 16 & 0x8000;
  const float magnitude = std::fabs(value);
  const U32 normal = ((bits & 0x7fffffff) - (112u << 23)) >> 13;
  const I32 denormal = static_cast<I32>((magnitude < kSmallestNormal ? magnitude : 0) * 0x1p24f);
  const U32 finite = magnitude >= kTooLarge         ? kLargestHalf
                     : magnitude >= kSmallestNormal ? normal
                                                    : static_cast<U32>(denormal);
  const U32 payload = kHalfInfinity | 0x200 | (bits >> 13 & 0x3ff);
  const U32 special = IsNan(value) ? payload : kHalfInfinity;
  return sign | (IsFinite(value) ? finite : special);
}

// Maps [-1, 1] or [0, 1] to the whole range of an integer, to the nearest one.
template <class Float>
[[gnu::always_inline]] inline U32 NormalizeSigned(Float value) {
  const float x = value;
  const float bounded = x < -1.0f ? -1.0f : x > 1.0f ? 1.0f : x;
  return static_cast<U16>(ToInteger<I16>(RoundEven(bounded * 32767.0f)));
}
template <class Float>
[[gnu::always_inline]] inline U32 NormalizeUnsigned(Float value) {
  const float x = value;
  const float bounded = x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
  return ToInteger<U16>(RoundEven(bounded * 65535.0f));
}

// Replaces byte `number` of `old`.
[[gnu::always_inline]] inline U32 InsertByte(float value, U32 number, U32 old) {
  const U32 shift = 8 * (number & 3);
  const U32 byte = ToInteger<uint8_t>(RoundEven(value));
  return (old & ~(0xffu << shift)) | byte << shift;
}

[[gnu::always_inline]] inline U32 SaturateBytes(U32 words) {
  const I32 low = std::clamp<I32>(static_cast<I16>(words), 0, 0xff);
  const I32 high = std::clamp<I32>(static_cast<I16>(words >> 16), 0, 0xff);
  return static_cast<U32>(low | high << 8);
}

// Sixteenths, from four signed bits.
[[gnu::always_inline]] inline float OffsetToFloat(U32 value) {
  const I32 sixteenths = static_cast<I32>(value << 28) >> 28;
  return static_cast<float>(sixteenths) * 0.0625f;
}

using OldValue = Destination<U32>;

constexpr OpcodeHandler kHandlers[] = {
    {isa::V_v_cvt_f32_i32, Map<[](I32 a) { return static_cast<float>(a); }>},
    {isa::V_v_cvt_f32_u32, Map<[](U32 a) { return static_cast<float>(a); }>},
    {isa::V_v_cvt_u32_f32, Map<ToInteger<U32, float>>},
    {isa::V_v_cvt_i32_f32, Map<ToInteger<I32, float>>},
    {isa::V_v_cvt_rpi_i32_f32, Map<[](float a) { return ToInteger<I32>(std::floor(a + 0.5f)); }>},
    {isa::V_v_cvt_flr_i32_f32, Map<[](float a) { return ToInteger<I32>(std::floor(a)); }>},
    {isa::V_v_cvt_off_f32_i4, Map<OffsetToFloat>},
    {isa::V_v_cvt_f32_ubyte0, Map<ByteToFloat<0>>},
    {isa::V_v_cvt_f32_ubyte1, Map<ByteToFloat<1>>},
    {isa::V_v_cvt_f32_ubyte2, Map<ByteToFloat<2>>},
    {isa::V_v_cvt_f32_ubyte3, Map<ByteToFloat<3>>},

    {isa::V_v_cvt_f64_f32, Map<[](float a) { return static_cast<double>(a); }>},
    {isa::V_v_cvt_f32_f64, Map<[](double a) { return static_cast<float>(a); }>},
    {isa::V_v_cvt_f64_i32, Map<[](I32 a) { return static_cast<double>(a); }>},
    {isa::V_v_cvt_f64_u32, Map<[](U32 a) { return static_cast<double>(a); }>},
    {isa::V_v_cvt_i32_f64, Map<ToInteger<I32, double>>},
    {isa::V_v_cvt_u32_f64, Map<ToInteger<U32, double>>},

    {isa::V_v_cvt_f16_f32, Map<[](float a) { return static_cast<Half>(a); }>},
    {isa::V_v_cvt_f32_f16, Map<[](Half a) { return static_cast<float>(a); }>},
    {isa::V_v_cvt_f16_u16, Map<[](U16 a) { return static_cast<Half>(static_cast<float>(a)); }>},
    {isa::V_v_cvt_f16_i16, Map<[](I16 a) { return static_cast<Half>(static_cast<float>(a)); }>},
    {isa::V_v_cvt_u16_f16, Map<[](Half a) { return ToInteger<U16>(static_cast<float>(a)); }>},
    {isa::V_v_cvt_i16_f16, Map<[](Half a) { return ToInteger<I16>(static_cast<float>(a)); }>},
    {isa::V_v_cvt_norm_i16_f16, Map<[](Half a) { return static_cast<I16>(NormalizeSigned(a)); }>},
    {isa::V_v_cvt_norm_u16_f16, Map<[](Half a) { return static_cast<U16>(NormalizeUnsigned(a)); }>},

    {isa::V_v_cvt_pkrtz_f16_f32,
     Map<[](float a, float b) { return Pack(TruncateToHalf(a), TruncateToHalf(b)); }>},
    {isa::V_v_cvt_pknorm_i16_f32,
     Map<[](float a, float b) { return Pack(NormalizeSigned(a), NormalizeSigned(b)); }>},
    {isa::V_v_cvt_pknorm_u16_f32,
     Map<[](float a, float b) { return Pack(NormalizeUnsigned(a), NormalizeUnsigned(b)); }>},
    {isa::V_v_cvt_pknorm_i16_f16,
     Map<[](Half a, Half b) { return Pack(NormalizeSigned(a), NormalizeSigned(b)); }>},
    {isa::V_v_cvt_pknorm_u16_f16,
     Map<[](Half a, Half b) { return Pack(NormalizeUnsigned(a), NormalizeUnsigned(b)); }>},
    {isa::V_v_cvt_pk_u16_u32,
     Map<[](U32 a, U32 b) { return Pack(std::min(a, 0xffffu), std::min(b, 0xffffu)); }>},
    {isa::V_v_cvt_pk_i16_i32,
     Map<[](I32 a, I32 b) { return Pack(Narrow<I16>(a, {true}), Narrow<I16>(b, {true})); }>},
    {isa::V_v_cvt_pk_u8_f32, Map<InsertByte>},
    {isa::V_v_cvt_pkaccum_u8_f32,
     Map<[](float a, U32 number, OldValue old) { return InsertByte(a, number, old.value); }>},
    {isa::V_v_sat_pk_u8_i16, Map<SaturateBytes>},
};

}  // namespace

std::span<const OpcodeHandler> ConvertHandlers() { return kHandlers; }

}  // namespace vgpu::valu
