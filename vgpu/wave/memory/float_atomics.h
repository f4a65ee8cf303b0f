// SPDX-License-Identifier: MIT
// float_atomics.h: the results of float atomics in memory, on the bits of the numbers.
//
// A sum is rounded to nearest even, whatever MODE says. A NaN result is the first NaN of memory and
// operand, made quiet, or the positive quiet NaN when neither is a NaN.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "vgpu/wave/valu/valu_types.h"

namespace vgpu {

template <class T>
using FloatOfBits =
    std::conditional_t<sizeof(T) == 8, double, std::conditional_t<sizeof(T) == 4, float, _Float16>>;

template <class T>
struct FloatBits : valu::FloatLayout<FloatOfBits<T>> {
  using Float = FloatOfBits<T>;
  static Float Value(T bits) { return std::bit_cast<Float>(bits); }
  static bool IsNan(T bits) { return valu::BitsAreNan<Float>(bits); }
  static T Flushed(T bits) { return valu::FlushBits<Float>(bits); }
};

template <class T>
T AddFloats(T old, T data) {
  using Bits = FloatBits<T>;
  if (Bits::IsNan(old)) return old | Bits::kQuiet;
  if (Bits::IsNan(data)) return data | Bits::kQuiet;
  const auto sum = static_cast<FloatOfBits<T>>(Bits::Value(old) + Bits::Value(data));
  const T bits = std::bit_cast<T>(sum);
  return Bits::IsNan(bits) ? Bits::kExponent | Bits::kQuiet : bits;
}

// Denormals count as zeros, and become zeros.
template <class T>
T AddFlushedFloats(T old, T data) {
  using Bits = FloatBits<T>;
  return Bits::Flushed(AddFloats(Bits::Flushed(old), Bits::Flushed(data)));
}

inline uint16_t AddBrainFloats(uint16_t old, uint16_t data) {
  const auto single = [](uint16_t bits) { return static_cast<uint32_t>(bits) << 16; };
  const uint32_t sum = AddFloats(single(old), single(data));
  if (FloatBits<uint32_t>::IsNan(sum)) return static_cast<uint16_t>(sum >> 16);
  return static_cast<uint16_t>((sum + 0x7fff + (sum >> 16 & 1)) >> 16);
}

// Two floats of 16 bits in a dword.
template <auto kAdd>
uint32_t AddPacked(uint32_t old, uint32_t data) {
  const uint32_t low = kAdd(static_cast<uint16_t>(old), static_cast<uint16_t>(data));
  const uint32_t high = kAdd(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(data >> 16));
  return low | high << 16;
}

// The lesser or the greater one. A NaN never replaces a number, and -0 is less than +0.
template <bool kLesser, class T>
T ChosenFloat(T old, T data) {
  using Bits = FloatBits<T>;
  if (Bits::IsNan(old)) return data;
  if (Bits::IsNan(data)) return old;
  const auto a = Bits::Value(old);
  const auto b = Bits::Value(data);
  const bool old_is_less = a == b ? (old & Bits::kSign) != 0 : a < b;
  return old_is_less == kLesser ? old : data;
}

}  // namespace vgpu
