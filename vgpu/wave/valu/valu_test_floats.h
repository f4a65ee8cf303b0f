// SPDX-License-Identifier: MIT
// valu_test_floats.h: the results of float instructions, written down for the tests of every width.
//
// Slow and obvious on purpose: one case after the other, in a type wider than the result.
#pragma once

#include <cmath>

#include "vgpu/wave/valu/valu_test_support.h"

namespace vgpu::valu::test {

// A type in which sums and products of T are exact, or wrong only far below T's last bit.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, double>, __float128, double>;

template <class T>
T Product(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
}
template <class T>
T Sum(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(a) + static_cast<Wide<T>>(b));
}
template <class T>
T Difference(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(a) - static_cast<Wide<T>>(b));
}
// a + b, and if that is not exact, the neighbour whose last bit is odd: rounding it again to a
// narrower type then rounds the exact sum.
inline __float128 SumToOdd(__float128 a, __float128 b) {
  const __float128 sum = a + b;
  const __float128 b_part = sum - a;
  const __float128 error = (a - (sum - b_part)) + (b - b_part);
  auto bits = std::bit_cast<unsigned __int128>(sum);
  if (error == 0 || error != error || (bits & 1) != 0) return sum;
  bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
  return std::bit_cast<__float128>(bits);
}
template <class T>
T FusedMultiplyAdd(T a, T b, T c) {
  const __float128 product = static_cast<__float128>(a) * static_cast<__float128>(b);
  return static_cast<T>(SumToOdd(product, static_cast<__float128>(c)));
}
// Rounded after the product, all denormals flushed.
template <class T>
T SeparateMultiplyAdd(T a, T b, T c) {
  const T product = FlushToZero(Product(FlushToZero(a), FlushToZero(b)));
  return FlushToZero(Sum(product, FlushToZero(c)));
}

// Results as bits, because NaNs have their own rules here.
template <class T>
Bits<T> Extreme(T a, T b, bool want_lesser) {
  if (IsSignalling(a)) return BitsOf(MakeQuiet(a));
  if (IsSignalling(b)) return BitsOf(MakeQuiet(b));
  if (IsNan(a)) return BitsOf(b);
  if (IsNan(b)) return BitsOf(a);
  const double x = static_cast<double>(a);
  const double y = static_cast<double>(b);
  if (x == 0 && y == 0) {
    const bool a_negative = std::signbit(x);
    return BitsOf(a_negative == want_lesser ? a : b);
  }
  if (x == y) return BitsOf(a);
  return BitsOf((x < y) == want_lesser ? a : b);
}
template <class T>
Bits<T> Lesser(T a, T b) {
  return Extreme(a, b, true);
}
template <class T>
Bits<T> Greater(T a, T b) {
  return Extreme(a, b, false);
}
template <class T>
Bits<T> LeastOf3(T a, T b, T c) {
  return Lesser(std::bit_cast<T>(Lesser(a, b)), c);
}
template <class T>
Bits<T> GreatestOf3(T a, T b, T c) {
  return Greater(std::bit_cast<T>(Greater(a, b)), c);
}
// The first operand that equals the greatest is left out. The greater of the others is the median
// (+0 equals -0 here).
template <class T>
Bits<T> MiddleOf3(T a, T b, T c) {
  if (IsNan(a) || IsNan(b) || IsNan(c)) return LeastOf3(a, b, c);
  const double greatest = static_cast<double>(std::bit_cast<T>(GreatestOf3(a, b, c)));
  if (static_cast<double>(a) == greatest) return Greater(b, c);
  if (static_cast<double>(b) == greatest) return Greater(a, c);
  return Greater(a, b);
}

template <class T>
T FractionOf(T value) {
  const double x = static_cast<double>(value);
  if (std::isinf(x) || std::isnan(x)) return static_cast<T>(NAN);
  const T fraction =
      static_cast<T>(static_cast<Wide<T>>(value) - static_cast<Wide<T>>(std::floor(x)));
  if (static_cast<double>(fraction) < 1) return fraction;
  return std::bit_cast<T>(static_cast<Bits<T>>(BitsOf(T(1)) - 1));
}

// Exact where the angle is a multiple of a quarter turn.
inline double SinOfTurns(double turns) {
  if (std::isinf(turns) || std::isnan(turns)) return NAN;
  if (turns == 0) return turns;
  if (std::fabs(turns) > 256 || std::fmod(turns, 0.5) == 0) return 0;
  const long double part = std::remainder(static_cast<long double>(turns), 1.0L);
  return static_cast<double>(std::sin(part * 6.28318530717958647692528676655900577L));
}
inline double CosOfTurns(double turns) {
  if (std::isinf(turns) || std::isnan(turns)) return NAN;
  if (std::fabs(turns) > 256) return 1;
  if (std::fmod(turns, 0.5) != 0 && std::fmod(turns, 0.25) == 0) return 0;
  const long double part = std::remainder(static_cast<long double>(turns), 1.0L);
  return static_cast<double>(std::cos(part * 6.28318530717958647692528676655900577L));
}

// value * 2^exponent, rounded once.
template <class T>
T Scaled(T value, int exponent) {
  const int bounded = exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : exponent;
  return static_cast<T>(std::ldexp(static_cast<long double>(value), bounded));
}

// value == mantissa * 2^exponent, with the mantissa in [0.5, 1).
template <class T>
int ExponentOf(T value) {
  double x = std::fabs(static_cast<double>(value));
  if (x == 0 || std::isinf(x) || std::isnan(x)) return 0;
  int exponent = 0;
  for (; x >= 1; x /= 2) ++exponent;
  for (; x < 0.5; x *= 2) --exponent;
  return exponent;
}
template <class T>
T MantissaOf(T value) {
  const double x = static_cast<double>(value);
  if (std::isinf(x)) return value;
  return static_cast<T>(std::ldexp(x, -ExponentOf(value)));
}

}  // namespace vgpu::valu::test
