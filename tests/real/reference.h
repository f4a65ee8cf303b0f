// SPDX-License-Identifier: MIT
// reference.h: the inputs, rounding and sums that the programs of this folder share.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace real {

// Small numbers that look random and are the same everywhere.
class Numbers {
 public:
  explicit Numbers(uint32_t seed) : state_(seed * 2654435761u + 1) {}
  uint32_t Next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  int Between(int low, int high) { return low + static_cast<int>(Next() % (high - low + 1)); }

 private:
  uint32_t state_;
};

// IEEE half precision and bfloat16 as bits, rounded to nearest even.
inline uint16_t ToHalf(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (size >= 65520) return sign | 0x7c00;
  int exponent = 0;
  if (size >= 0x1p-14) exponent = std::ilogb(size) + 15;
  const double unit = exponent > 0 ? std::ldexp(1.0, exponent - 25) : 0x1p-24;
  const auto steps = static_cast<uint32_t>(std::nearbyint(size / unit));
  return sign | static_cast<uint16_t>((exponent > 0 ? (exponent - 1) << 10 : 0) + steps);
}
inline double FromHalf(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = (bits & 0x3ff) | (exponent > 0 ? 0x400 : 0);
  const double size = std::ldexp(mantissa, (exponent > 0 ? exponent : 1) - 25);
  return bits & 0x8000 ? -size : size;
}
inline uint16_t ToBfloat(double value) {
  const auto single = static_cast<float>(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof(bits));
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline double FromBfloat(uint16_t half) {
  const uint32_t bits = static_cast<uint32_t>(half) << 16;
  float single = 0;
  std::memcpy(&single, &bits, sizeof(single));
  return single;
}

// FNV-1a of the bytes: two runs are compared by it, bit for bit.
template <typename T>
uint64_t Digest(const std::vector<T>& values) {
  uint64_t sum = 0xcbf29ce484222325;
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (size_t i = 0; i < values.size() * sizeof(T); ++i) sum = (sum ^ bytes[i]) * 0x100000001b3;
  return sum;
}

}  // namespace real
