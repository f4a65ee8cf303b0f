// SPDX-License-Identifier: MIT
// float8.h: the 8-bit floats of gfx942. They have one zero, no infinity, and the NaN 0x80.
//
// Nearest rounds a single to nearest even. Stochastic adds a random number below the last bit that
// is kept, and cuts off the rest. If the result is denormal, the further bits that it loses are cut
// off before the addition.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace vgpu {

template <int kFraction, int kBias>
struct SmallFloat {
  static float ToSingle(uint8_t bits) {
    if (bits == kNan) return std::numeric_limits<float>::quiet_NaN();
    const int exponent = (bits & 0x7f) >> kFraction;
    const int fraction = bits & ((1 << kFraction) - 1);
    const int mantissa = exponent == 0 ? fraction : fraction | 1 << kFraction;
    const int power = (exponent == 0 ? 1 : exponent) - kBias - kFraction;
    const float size = std::ldexp(static_cast<float>(mantissa), power);
    return (bits & kSign) != 0 ? -size : size;
  }

  // `single`: the number's bits. `clamps`: a number that is too large becomes the largest one, not
  // a NaN.
  static uint8_t Nearest(uint32_t single, bool clamps) {
    const Parts parts(single);
    if (!parts.is_finite) return kNan;
    const int cut = kCut + parts.shift;
    if (cut > kSingleFraction + 1) return 0;  // less than half of the least one
    const uint32_t kept = parts.significand >> cut;
    const uint32_t rest = parts.significand & ((1u << cut) - 1);
    const uint32_t half = 1u << (cut - 1);
    const bool up = rest > half || (rest == half && (kept & 1) != 0);
    return Packed(parts, kept + (up ? 1 : 0), clamps);
  }

  static uint8_t Stochastic(uint32_t single, uint32_t random, bool clamps) {
    const Parts parts(single);
    if (!parts.is_finite) return kNan;
    const uint32_t aligned = parts.shift < 32 ? parts.significand >> parts.shift : 0;
    return Packed(parts, (aligned + (random >> (32 - kCut))) >> kCut, clamps);
  }

 private:
  static constexpr uint8_t kNan = 0x80;
  static constexpr uint8_t kSign = 0x80;
  static constexpr uint32_t kLargest = 0x7f;
  static constexpr int kSingleFraction = 23;
  static constexpr int kSingleBias = 127;
  static constexpr int kCut = kSingleFraction - kFraction;  // bits that a normal number loses

  struct Parts {
    explicit Parts(uint32_t single) {
      constexpr uint32_t kOne = 1u << kSingleFraction;
      const int field = static_cast<int>(single >> kSingleFraction & 0xff);
      is_finite = field != 0xff;
      is_negative = single >> 31 != 0;
      significand = (single & (kOne - 1)) | (field != 0 ? kOne : 0);
      exponent = (field != 0 ? field : 1) - kSingleBias + kBias;
      if (exponent < 1) {
        shift = 1 - exponent;
        exponent = 1;
      }
    }
    bool is_finite;
    bool is_negative;
    uint32_t significand;  // with the leading one
    int exponent;          // as the small float holds it
    int shift = 0;         // further bits that a denormal result loses
  };

  // `kept`: the significand with the leading one. A carry out of it makes the exponent one larger.
  static uint8_t Packed(const Parts& parts, uint32_t kept, bool clamps) {
    uint32_t bits = (static_cast<uint32_t>(parts.exponent - 1) << kFraction) + kept;
    if (bits == 0) return 0;
    if (bits > kLargest && !clamps) return kNan;
    if (bits > kLargest) bits = kLargest;
    return static_cast<uint8_t>(bits | (parts.is_negative ? kSign : 0));
  }
};

using Float8 = SmallFloat<3, 8>;        // FP8: E4M3FNUZ
using BrainFloat8 = SmallFloat<2, 16>;  // BF8: E5M2FNUZ

}  // namespace vgpu
