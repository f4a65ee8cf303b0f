// SPDX-License-Identifier: MIT
// float_atomics.h: the results of float atomics in memory, on the bits of the numbers.
//
// A sum is rounded to nearest even, whatever MODE says. A NaN result is the first NaN of memory and
// operand, made quiet, or the positive quiet NaN when neither is a NaN.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace vgpu {

template <class T>
using FloatOfBits =
    std::conditional_t<sizeof(T) == 8, double, std::conditional_t<sizeof(T) == 4, float, _Float16>>;

template <class T>
struct FloatBits {
  static constexpr int kFraction = sizeof(T) == 8 ? 52 : sizeof(T) == 4 ? 23 : 10;
  static constexpr T kSign = static_cast<T>(T{1} << (sizeof(T) * 8 - 1));
  static constexpr T kQuiet = static_cast<T>(T{1} << (kFraction - 1));
  static constexpr T kInfinity = static_cast<T>(static_cast<T>(~kSign) >> kFraction << kFraction);

  static FloatOfBits<T> Value(T bits) { return std::bit_cast<FloatOfBits<T>>(bits); }
  static bool IsNan(T bits) { return static_cast<T>(bits & ~kSign) > kInfinity; }
  // A denormal becomes a zero of the same sign.
  static T Flushed(T bits) { return (bits & kInfinity) != 0 ? bits : static_cast<T>(bits & kSign); }
};

template <class T>
T AddFloats(T old, T data) {
  using Bits = FloatBits<T>;
  if (Bits::IsNan(old)) return old | Bits::kQuiet;
  if (Bits::IsNan(data)) return data | Bits::kQuiet;
  const auto sum = static_cast<FloatOfBits<T>>(Bits::Value(old) + Bits::Value(data));
  const T bits = std::bit_cast<T>(sum);
  return Bits::IsNan(bits) ? Bits::kInfinity | Bits::kQuiet : bits;
}

// Denormals count as zeros, and become zeros.
template <class T>
T AddFlushedFloats(T old, T data) {
  using Bits = FloatBits<T>;
  return Bits::Flushed(AddFloats(Bits::Flushed(old), Bits::Flushed(data)));
}

// Two halves in a dword.
inline uint32_t AddPackedHalves(uint32_t old, uint32_t data) {
  const uint16_t low = AddFloats(static_cast<uint16_t>(old), static_cast<uint16_t>(data));
  const uint16_t high =
      AddFloats(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(data >> 16));
  return low | static_cast<uint32_t>(high) << 16;
}

// The same of bfloat16.
inline uint16_t AddBrainFloats(uint16_t old, uint16_t data) {
  const auto single = [](uint16_t bits) { return static_cast<uint32_t>(bits) << 16; };
  const uint32_t sum = AddFloats(single(old), single(data));
  if (FloatBits<uint32_t>::IsNan(sum)) return static_cast<uint16_t>(sum >> 16);
  return static_cast<uint16_t>((sum + 0x7fff + (sum >> 16 & 1)) >> 16);
}
inline uint32_t AddPackedBrainFloats(uint32_t old, uint32_t data) {
  const uint32_t low = AddBrainFloats(static_cast<uint16_t>(old), static_cast<uint16_t>(data));
  const uint32_t high =
      AddBrainFloats(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(data >> 16));
  return low | high << 16;
}

// A NaN never replaces a number, and -0 is less than +0.
template <class T>
T MinOfFloats(T old, T data) {
  using Bits = FloatBits<T>;
  if (Bits::IsNan(old)) return data;
  if (Bits::IsNan(data)) return old;
  const auto a = Bits::Value(old);
  const auto b = Bits::Value(data);
  if (a == b) return (old & Bits::kSign) != 0 ? old : data;
  return a < b ? old : data;
}
template <class T>
T MaxOfFloats(T old, T data) {
  using Bits = FloatBits<T>;
  if (Bits::IsNan(old)) return data;
  if (Bits::IsNan(data)) return old;
  const auto a = Bits::Value(old);
  const auto b = Bits::Value(data);
  if (a == b) return (old & Bits::kSign) != 0 ? data : old;
  return a > b ? old : data;
}

}  // namespace vgpu
