// SPDX-License-Identifier: MIT
// float8.h: the 8-bit floats of gfx942. They have one zero, no infinity, and the NaN 0x80.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace vgpu {

template <int kFraction, int kBias>
struct SmallFloat {
  static float ToSingle(uint8_t bits) {
    if (bits == 0x80) return std::numeric_limits<float>::quiet_NaN();
    const int exponent = (bits & 0x7f) >> kFraction;
    const int fraction = bits & ((1 << kFraction) - 1);
    const int mantissa = exponent == 0 ? fraction : fraction | 1 << kFraction;
    const int power = (exponent == 0 ? 1 : exponent) - kBias - kFraction;
    const float size = std::ldexp(static_cast<float>(mantissa), power);
    return (bits & 0x80) != 0 ? -size : size;
  }
};

using Float8 = SmallFloat<3, 8>;        // FP8: E4M3FNUZ
using BrainFloat8 = SmallFloat<2, 16>;  // BF8: E5M2FNUZ

}  // namespace vgpu
