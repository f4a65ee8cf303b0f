// SPDX-License-Identifier: MIT
// The three instructions with which a compiler builds an exact division around v_rcp and fma:
//   div_scale  moves numerator or denominator into a range where the iteration neither overflows
//              nor loses bits, and flags (in its mask) that the quotient has to be scaled back
//   div_fmas   the last fma of the iteration, scaled back where VCC says so
//   div_fixup  sets the special cases right: zeros, infinities, NaNs, out of range
//
// div_scale's factor is 2^64 (2^128 in double). The factor made a huge flagged quotient too small,
// and a tiny one too big. So div_fmas scales up if the estimate is at least 1, and down otherwise.
// It rounds after scaling, so that a denormal quotient is rounded once.
#include <bit>
#include <cmath>
#include <limits>

#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

template <class T>
struct DivisionLimits;
template <>
struct DivisionLimits<float> {
  static constexpr int kBias = 127;
  static constexpr int kHugeRatio = 96;      // exponent difference near the largest quotient
  static constexpr int kScale = 64;          // exponent of div_scale's factor
  static constexpr int kTinyNumerator = 23;  // biased exponent
  static constexpr int kUnderflow = -150;    // exponent difference
  static constexpr int kOverflow = 128;
};
template <>
struct DivisionLimits<double> {
  static constexpr int kBias = 1023;
  static constexpr int kHugeRatio = 768;
  static constexpr int kScale = 128;
  static constexpr int kTinyNumerator = 53;
  static constexpr int kUnderflow = -1075;
  static constexpr int kOverflow = 1024;
};
template <>
struct DivisionLimits<Half> {
  static constexpr int kUnderflow = -26;
  static constexpr int kOverflow = 16;
};

template <class T>
bool IsDenormal(T value) {
  return value != 0 && FlushBits<T>(ToBits(value)) != ToBits(value);
}

// The exponent of a nonzero number. Denormals have their true exponent, infinities and NaNs one
// past the largest.
template <class T>
int Exponent(T value) {
  if (!std::isfinite(value)) return DivisionLimits<T>::kBias + 1;
  return std::ilogb(value);
}

template <class T>
Flagged<T> DivScale(T value, T denominator, T numerator) {
  using Limits = DivisionLimits<T>;
  if (numerator == 0 || denominator == 0) return {std::numeric_limits<T>::quiet_NaN(), false};
  const int numerator_exponent = Exponent(numerator);
  const bool is_denominator = ToBits(value) == ToBits(denominator);
  const bool is_numerator = ToBits(value) == ToBits(numerator);
  const bool reciprocal_is_denormal = IsDenormal<T>(1 / denominator);
  const bool quotient_is_denormal =
      std::fabs(numerator / denominator) < std::numeric_limits<T>::min();
  if (numerator_exponent - Exponent(denominator) >= Limits::kHugeRatio) {
    return {is_denominator ? std::ldexp(value, Limits::kScale) : value, true};
  }
  if (IsDenormal(denominator)) return {std::ldexp(value, Limits::kScale), false};
  if (reciprocal_is_denormal && quotient_is_denormal) {
    return {is_denominator ? std::ldexp(value, -Limits::kScale) : value, true};
  }
  if (reciprocal_is_denormal) return {std::ldexp(value, -Limits::kScale), false};
  if (quotient_is_denormal) {
    return {is_numerator ? std::ldexp(value, Limits::kScale) : value, true};
  }
  const bool numerator_is_tiny = numerator_exponent + Limits::kBias <= Limits::kTinyNumerator;
  return {numerator_is_tiny ? std::ldexp(value, Limits::kScale) : value, false};
}

// a * b + c, rounded to odd: if the sum is not exact, the neighbour whose last bit is set. Rounding
// that again, after scaling, equals rounding the exact sum.
__float128 WideFma(double a, double b, double c) {
  const __float128 product = static_cast<__float128>(a) * static_cast<__float128>(b);  // exact
  const __float128 addend = c;
  const __float128 sum = product + addend;
  const __float128 addend_part = sum - product;
  const __float128 error = (product - (sum - addend_part)) + (addend - addend_part);
  auto bits = std::bit_cast<unsigned __int128>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  bits += (error > 0) == (sum > 0) ? 1 : -1;
  return std::bit_cast<__float128>(bits);
}

__float128 ScaleWide(__float128 value, int exponent) {
  // Two steps: one factor alone may leave the range of double.
  const double half_step = std::ldexp(1.0, exponent / 2);
  return value * half_step * half_step;
}

template <class T>
T DivFmas(T a, T b, T c, VccBit scaled) {
  if (!scaled.set) return std::fma(a, b, c);
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return std::fma(a, b, c);
  const bool quotient_is_huge = std::fabs(c) >= 1;
  const int scale = DivisionLimits<T>::kScale;
  return static_cast<T>(ScaleWide(WideFma(a, b, c), quotient_is_huge ? scale : -scale));
}

template <class T>
Raw<T> DivFixup(T quotient, T denominator, T numerator) {
  using Layout = FloatLayout<T>;
  using Bits = BitsOf<T>;
  using Limits = DivisionLimits<T>;
  const auto den = static_cast<Working<T>>(denominator);
  const auto num = static_cast<Working<T>>(numerator);
  const Bits sign = static_cast<Bits>((ToBits(numerator) ^ ToBits(denominator)) & Layout::kSign);
  const Bits infinity = static_cast<Bits>(sign | Layout::kExponent);
  const Bits no_number = static_cast<Bits>(Layout::kSign | Layout::kExponent | Layout::kQuiet);
  if (IsNan(numerator)) return {Quieted<T>(ToBits(numerator))};
  if (IsNan(denominator)) return {Quieted<T>(ToBits(denominator))};
  if (num == 0 && den == 0) return {no_number};
  if (std::isinf(num) && std::isinf(den)) return {no_number};
  if (den == 0 || std::isinf(num)) return {infinity};
  if (std::isinf(den) || num == 0) return {sign};
  const int ratio = std::ilogb(num) - std::ilogb(den);
  if (ratio < Limits::kUnderflow) return {sign};
  if (ratio > Limits::kOverflow) return {infinity};
  return {static_cast<Bits>((ToBits(quotient) & ~Layout::kSign) | sign)};
}

HalfRegister<Raw<Half>> DivFixupHalf(Half quotient, Half denominator, Half numerator) {
  return {DivFixup(quotient, denominator, numerator)};
}

constexpr OpcodeHandler kHandlers[] = {
    {isa::V_v_div_scale_f32, MapActive<DivScale<float>>},
    {isa::V_v_div_scale_f64, MapActive<DivScale<double>>},
    {isa::V_v_div_fmas_f32, MapActive<DivFmas<float>>},
    {isa::V_v_div_fmas_f64, MapActive<DivFmas<double>>},
    {isa::V_v_div_fixup_f32, MapActive<DivFixup<float>>},
    {isa::V_v_div_fixup_f64, MapActive<DivFixup<double>>},
    {isa::V_v_div_fixup_legacy_f16, MapActive<DivFixup<Half>>},
    {isa::V_v_div_fixup_f16, MapActive<DivFixupHalf>},
};

}  // namespace

std::span<const OpcodeHandler> DivisionHandlers() { return kHandlers; }

}  // namespace vgpu::valu
