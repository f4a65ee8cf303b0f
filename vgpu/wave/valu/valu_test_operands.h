// SPDX-License-Identifier: MIT
// valu_test_operands.h: operands on which vector instructions are tested: edge cases of every type,
// and random bits from a fixed seed.
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>

namespace vgpu::valu::test {

using Half = _Float16;

// splitmix64
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

 private:
  uint64_t state_;
};

inline uint64_t SeedOf(std::string_view text) {
  uint64_t seed = 0xcbf29ce484222325;
  for (const char c : text) seed = (seed ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return seed;
}

template <size_t size>
struct UnsignedOf;
template <>
struct UnsignedOf<2> {
  using Type = uint16_t;
};
template <>
struct UnsignedOf<4> {
  using Type = uint32_t;
};
template <>
struct UnsignedOf<8> {
  using Type = uint64_t;
};
template <class T>
using Bits = typename UnsignedOf<sizeof(T)>::Type;
template <class T>
Bits<T> BitsOf(T value) {
  return std::bit_cast<Bits<T>>(value);
}

template <class T>
constexpr bool kIsFloat =
    std::is_same_v<T, Half> || std::is_same_v<T, float> || std::is_same_v<T, double>;

// Sign, exponent and quiet bits of the float of a given size.
template <class T>
struct Format;
template <>
struct Format<Half> {
  static constexpr uint16_t kSign = 0x8000, kInfinity = 0x7c00, kQuiet = 0x200;
};
template <>
struct Format<float> {
  static constexpr uint32_t kSign = 0x80000000, kInfinity = 0x7f800000, kQuiet = 0x400000;
};
template <>
struct Format<double> {
  static constexpr uint64_t kSign = 1ull << 63, kInfinity = 0x7ffull << 52, kQuiet = 1ull << 51;
};
template <class T>
bool IsNan(T value) {
  return (BitsOf(value) & ~Format<T>::kSign) > Format<T>::kInfinity;
}
template <class T>
bool IsSignalling(T value) {
  return IsNan(value) && (BitsOf(value) & Format<T>::kQuiet) == 0;
}
template <class T>
bool IsDenormal(T value) {
  const auto magnitude = BitsOf(value) & ~Format<T>::kSign;
  return magnitude != 0 && (magnitude & Format<T>::kInfinity) == 0;
}
template <class T>
T FlushToZero(T value) {
  if (!IsDenormal(value)) return value;
  return std::bit_cast<T>(static_cast<Bits<T>>(BitsOf(value) & Format<T>::kSign));
}
template <class T>
T MakeQuiet(T nan) {
  return std::bit_cast<T>(static_cast<Bits<T>>(BitsOf(nan) | Format<T>::kQuiet));
}

inline constexpr uint16_t kHalfEdges[] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0xb800, 0x3e00, 0x4100, 0xc100, 0x0001, 0x8001, 0x03ff,
    0x83ff, 0x0400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7d01, 0xfe55, 0x4248, 0x6400};
inline constexpr uint32_t kFloatEdges[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000,
    0xc0200000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fa00001, 0xffc12345, 0x40490fdb, 0x4f000000,
    0xcf000000, 0x4f800000, 0x4b800001, 0x3effffff, 0xb58637bd};
inline constexpr uint64_t kDoubleEdges[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x3fe0000000000000, 0x4004000000000000, 0xc004000000000000, 0x0000000000000001,
    0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x8010000000000000,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000000000, 0x7ff4000000000001, 0xfff8123456789abc, 0x400921fb54442d18,
    0x41e0000000000000, 0xc1e0000000000000, 0x41efffffffe00000, 0x4340000000000001};
inline constexpr uint64_t kIntegerEdges[] = {0,          1,
                                             2,          3,
                                             0x7f,       0x80,
                                             0xff,       0x7fff,
                                             0x8000,     0xffff,
                                             31,         32,
                                             33,         63,
                                             64,         0x7fffffff,
                                             0x80000000, 0x80000001,
                                             0xfffffffe, 0xffffffff,
                                             0xffffff,   0x800000,
                                             0x7fffff,   0x12345678,
                                             0xdeadbeef, ~0ull,
                                             1ull << 63, (1ull << 63) - 1,
                                             1ull << 32, 0xfffffffffffffffe};

template <class T>
auto EdgeBits(uint64_t random) {
  if constexpr (std::is_same_v<T, Half>) {
    return kHalfEdges[random % std::size(kHalfEdges)];
  } else if constexpr (std::is_same_v<T, float>) {
    return kFloatEdges[random % std::size(kFloatEdges)];
  } else if constexpr (std::is_same_v<T, double>) {
    return kDoubleEdges[random % std::size(kDoubleEdges)];
  } else {
    return static_cast<Bits<T>>(kIntegerEdges[random % std::size(kIntegerEdges)]);
  }
}

// An edge case, any bits, or (floats) a number of ordinary size.
template <class T>
T PickOperand(Random* random) {
  const uint64_t kind = random->Next() % 4;
  const uint64_t bits = random->Next();
  if (kind == 0) return std::bit_cast<T>(static_cast<Bits<T>>(bits));
  if constexpr (kIsFloat<T>) {
    if (kind == 1) return static_cast<T>(static_cast<double>(static_cast<int32_t>(bits)) * 0x1p-20);
  }
  return std::bit_cast<T>(EdgeBits<T>(bits));
}

}  // namespace vgpu::valu::test
