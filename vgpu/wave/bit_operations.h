// SPDX-License-Identifier: MIT
// bit_operations.h: bit-level arithmetic of scalar instructions, and fields of words.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace vgpu {

// The `count` bits of `word` from bit `low` on.
constexpr uint32_t Bits(uint32_t word, int low, int count) {
  return word >> low & ((1u << count) - 1);
}

template <class T>
constexpr int kBitsOf = sizeof(T) * 8;

template <class T>
constexpr std::make_signed_t<T> Signed(T value) {
  return static_cast<std::make_signed_t<T>>(value);
}

// The low `width` bits; all of them when the width is the type's or more.
template <class T>
constexpr T LowBits(T value, uint32_t width) {
  if (width >= kBitsOf<T>) return value;
  return value & ((T{1} << width) - 1);
}

// The low `width` bits as a signed number; 0 when the width is 0.
template <class T>
constexpr T SignExtendFrom(T value, uint32_t width) {
  if (width == 0) return 0;
  if (width >= kBitsOf<T>) return value;
  const uint32_t unused = kBitsOf<T> - width;
  return static_cast<T>(Signed(static_cast<T>(value << unused)) >> unused);
}

template <class T>
constexpr T ReverseBits(T value) {
  T result = 0;
  for (int i = 0; i < kBitsOf<T>; ++i) {
    result = static_cast<T>(result << 1 | (value & 1));
    value >>= 1;
  }
  return result;
}

// Position of the lowest set bit, or -1 (all ones).
template <class T>
constexpr uint32_t FindLowestOne(T value) {
  return value == 0 ? ~0u : static_cast<uint32_t>(std::countr_zero(value));
}

// Number of zeros above the highest set bit, or -1.
template <class T>
constexpr uint32_t CountLeadingZeros(T value) {
  return value == 0 ? ~0u : static_cast<uint32_t>(std::countl_zero(value));
}

// Number of bits from the top until the first that differs from the sign, or -1.
template <class T>
constexpr uint32_t CountLeadingSigns(T value) {
  return CountLeadingZeros(static_cast<T>(Signed(value) < 0 ? ~value : value));
}

// Every group of 4 bits becomes all ones if any of them is set.
template <class T>
constexpr T WholeQuads(T value) {
  T any = value | value >> 1;
  any |= any >> 2;
  const T lowest = any & static_cast<T>(0x1111111111111111);
  return lowest * 15;
}

// Bit i of the result: any bit of group i of 4 bits is set.
template <class T>
constexpr T QuadMask(T value) {
  T result = 0;
  for (int quad = 0; quad < kBitsOf<T> / 4; ++quad) {
    const bool any = (value >> (quad * 4) & 15) != 0;
    result |= static_cast<T>(any) << quad;
  }
  return result;
}

// Operations, to be passed as template arguments where handlers are made.
constexpr auto kAnd = [](auto a, auto b) { return a & b; };
constexpr auto kOr = [](auto a, auto b) { return a | b; };
constexpr auto kXor = [](auto a, auto b) { return a ^ b; };
constexpr auto kAndNot = [](auto a, auto b) { return a & ~b; };
constexpr auto kOrNot = [](auto a, auto b) { return a | ~b; };
constexpr auto kNand = [](auto a, auto b) { return ~(a & b); };
constexpr auto kNor = [](auto a, auto b) { return ~(a | b); };
constexpr auto kXnor = [](auto a, auto b) { return ~(a ^ b); };
constexpr auto kEqual = [](auto a, auto b) { return a == b; };
constexpr auto kNotEqual = [](auto a, auto b) { return a != b; };
constexpr auto kGreater = [](auto a, auto b) { return a > b; };
constexpr auto kGreaterEqual = [](auto a, auto b) { return a >= b; };
constexpr auto kLess = [](auto a, auto b) { return a < b; };
constexpr auto kLessEqual = [](auto a, auto b) { return a <= b; };

// Every bit twice.
constexpr uint64_t ReplicateBits(uint32_t value) {
  uint64_t result = 0;
  for (int i = 0; i < 32; ++i) {
    const uint64_t bit = value >> i & 1;
    result |= (bit * 3) << (2 * i);
  }
  return result;
}

}  // namespace vgpu
