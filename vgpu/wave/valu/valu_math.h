// SPDX-License-Identifier: MIT
// valu_math.h: formulas that exist for several widths, for one lane.
//
// Half computes in float and rounds once. Minimum, maximum and median follow MODE.IEEE = 1, which
// compute kernels run with: a signalling NaN becomes quiet and wins, a quiet one loses to a number.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "vgpu/wave/valu/valu_types.h"

namespace vgpu::valu {

// The type in which a width computes.
template <class T>
using Working = std::conditional_t<std::is_same_v<T, Half>, float, T>;

template <class T>
[[gnu::always_inline]] inline T Flush(T value) {
  return FromBits<T>(FlushBits<T>(ToBits(value)));
}
template <class T>
[[gnu::always_inline]] inline bool IsNan(T value) {
  return BitsAreNan<T>(ToBits(value));
}
template <class T>
[[gnu::always_inline]] inline bool IsFinite(T value) {
  using Layout = FloatLayout<T>;
  return (ToBits(value) & Layout::kExponent) != Layout::kExponent;
}

// A NaN made quiet; anything else as it is.
template <class T>
[[gnu::always_inline]] inline BitsOf<T> Quieted(BitsOf<T> bits) {
  return BitsAreNan<T>(bits) ? static_cast<BitsOf<T>>(bits | FloatLayout<T>::kQuiet) : bits;
}

// `chosen` is the result for two numbers; NaNs overrule it.
template <class T>
[[gnu::always_inline]] inline Raw<T> OverruleNans(BitsOf<T> a, BitsOf<T> b, BitsOf<T> chosen) {
  BitsOf<T> result = chosen;
  result = BitsAreNan<T>(b) ? a : result;
  result = BitsAreNan<T>(a) ? b : result;
  result = BitsAreSignallingNan<T>(b) ? b : result;
  result = BitsAreSignallingNan<T>(a) ? a : result;
  return {Quieted<T>(result)};
}

// -0 is less than +0.
template <class T>
[[gnu::always_inline]] inline Raw<T> Min(T a, T b) {
  const Working<T> x = a;
  const Working<T> y = b;
  const BitsOf<T> equal = static_cast<BitsOf<T>>(ToBits(a) | ToBits(b));
  const BitsOf<T> lesser = x < y ? ToBits(a) : ToBits(b);
  return OverruleNans<T>(ToBits(a), ToBits(b), x == y ? equal : lesser);
}
template <class T>
[[gnu::always_inline]] inline Raw<T> Max(T a, T b) {
  const Working<T> x = a;
  const Working<T> y = b;
  const BitsOf<T> equal = static_cast<BitsOf<T>>(ToBits(a) & ToBits(b));
  const BitsOf<T> greater = x > y ? ToBits(a) : ToBits(b);
  return OverruleNans<T>(ToBits(a), ToBits(b), x == y ? equal : greater);
}
template <class T>
[[gnu::always_inline]] inline T FromRaw(Raw<T> raw) {
  return FromBits<T>(raw.bits);
}
template <class T>
[[gnu::always_inline]] inline Raw<T> Min3(T a, T b, T c) {
  return Min(FromRaw(Min(a, b)), c);
}
template <class T>
[[gnu::always_inline]] inline Raw<T> Max3(T a, T b, T c) {
  return Max(FromRaw(Max(a, b)), c);
}
template <class T>
[[gnu::always_inline]] inline Raw<T> Med3(T a, T b, T c) {
  const bool any_nan = IsNan(a) || IsNan(b) || IsNan(c);
  const BitsOf<T> most = Max3(a, b, c).bits;
  const Working<T> maximum = FromBits<T>(most);
  const Raw<T> others = maximum == static_cast<Working<T>>(a)   ? Max(b, c)
                        : maximum == static_cast<Working<T>>(b) ? Max(a, c)
                                                                : Max(a, b);
  return any_nan ? Min3(a, b, c) : others;
}

[[gnu::always_inline]] inline Half ToHalf(float value) { return static_cast<Half>(value); }

// Rounds once: through a float that is rounded to odd (the neighbour whose last bit is set, unless
// the value is exact), because the host has an instruction from float to half only.
[[gnu::always_inline]] inline Half ToHalf(double value) {
  const float nearest = static_cast<float>(value);
  const double error = value - static_cast<double>(nearest);
  const uint32_t bits = ToBits(nearest);
  const bool away_from_zero = (error > 0) == (nearest > 0);
  const bool is_exact = !(error < 0 || error > 0);  // infinities and NaNs count as exact
  const uint32_t odd = away_from_zero ? bits + 1 : bits - 1;
  return ToHalf(FromBits<float>(is_exact || (bits & 1) != 0 ? bits : odd));
}

// a * b + c, rounded once: no such sum needs more bits than a double has.
[[gnu::always_inline]] inline Half FmaHalf(Half a, Half b, Half c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  return ToHalf(product + static_cast<double>(c));
}

// Rounds to an integral value, ties to even, whatever MODE says.
[[gnu::always_inline]] inline float RoundEven(float value) { return __builtin_roundevenf(value); }
[[gnu::always_inline]] inline double RoundEven(double value) { return __builtin_roundeven(value); }

// The fraction; never 1, although a tiny negative number would round to it.
template <class T>
[[gnu::always_inline]] inline T Fract(T value) {
  const T below_one = FromBits<T>(static_cast<BitsOf<T>>(ToBits(T(1)) - 1));
  const Working<T> x = value;
  const T fraction = static_cast<T>(x - std::floor(x));
  return static_cast<Working<T>>(fraction) > static_cast<Working<T>>(below_one) ? below_one
                                                                                : fraction;
}

// The significand in [0.5, 1); infinities, NaNs and zeros are returned as they are.
template <class T>
inline T FrexpMantissa(T value) {
  int exponent = 0;
  return IsFinite(value) ? static_cast<T>(std::frexp(static_cast<Working<T>>(value), &exponent))
                         : value;
}
// The exponent that belongs to FrexpMantissa; 0 for infinities, NaNs and zeros.
template <class T>
inline int32_t FrexpExponent(T value) {
  int exponent = 0;
  if (IsFinite(value)) (void)std::frexp(static_cast<Working<T>>(value), &exponent);
  return exponent;
}

// sin(2 pi x) for |x| <= 1/2; exact at quarter turns.
inline double SinOfPart(double x) {
  constexpr double kTwoPi = 6.283185307179586476925;
  const double folded = std::fabs(x) > 0.25 ? std::copysign(0.5, x) - x : x;
  return std::sin(folded * kTwoPi);
}

// Sine and cosine of 2 pi x. Beyond 256 turns the hardware answers as for 0.
template <class T>
inline T SinTurns(T turns) {
  const double x = static_cast<double>(turns);
  if (std::isinf(x)) return static_cast<T>(x - x);
  if (std::fabs(x) > 256) return T(0);
  if (x == 0) return turns;
  return static_cast<T>(SinOfPart(x - RoundEven(x)));
}
template <class T>
inline T CosTurns(T turns) {
  const double x = static_cast<double>(turns);
  if (std::isinf(x)) return static_cast<T>(x - x);
  if (std::fabs(x) > 256) return T(1);
  return static_cast<T>(SinOfPart(0.25 - std::fabs(x - RoundEven(x))));
}

// Truncates; out of range becomes the nearest integer of the type, NaN becomes 0.
template <class Integer, class Float>
[[gnu::always_inline]] inline Integer ToInteger(Float value) {
  constexpr Integer kLeast = std::numeric_limits<Integer>::min();
  constexpr Integer kMost = std::numeric_limits<Integer>::max();
  constexpr Float kBelow = static_cast<Float>(kLeast);
  constexpr Float kAbove = static_cast<Float>(kMost / 2 + 1) * 2;  // a power of two, exact
  const bool in_range = value >= kBelow && value < kAbove;
  const Integer inside = static_cast<Integer>(in_range ? value : Float(0));
  const Integer outside = value >= kAbove ? kMost : value < kBelow ? kLeast : Integer(0);
  return in_range ? inside : outside;
}

// ---- Integers

template <std::integral T>
[[gnu::always_inline]] inline T Least3(T a, T b, T c) {
  return std::min(std::min(a, b), c);
}
template <std::integral T>
[[gnu::always_inline]] inline T Most3(T a, T b, T c) {
  return std::max(std::max(a, b), c);
}
template <std::integral T>
[[gnu::always_inline]] inline T Middle3(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// The low bits of an exact result; if the instruction saturates, the nearest T.
template <class T, class Exact>
[[gnu::always_inline]] inline T Narrow(Exact exact, Saturate saturate) {
  constexpr Exact kLeast = std::numeric_limits<T>::min();
  constexpr Exact kMost = std::numeric_limits<T>::max();
  return static_cast<T>(saturate.on ? std::clamp(exact, kLeast, kMost) : exact);
}

[[gnu::always_inline]] inline U32 AddUpTo(U32 a, U32 b, Saturate saturate) {
  const U32 sum = a + b;
  return saturate.on && sum < a ? ~0u : sum;
}

}  // namespace vgpu::valu
