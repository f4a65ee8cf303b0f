// SPDX-License-Identifier: MIT
// matrix_sums.h: how gfx942 adds products of floats that are shorter than single precision.
//
// Several products are added at once, and the sum of the products is added to the sum so far:
//   each product   is cut to 24 bits behind the point. The point stands where the largest exponent
//                  of the products puts it
//   both sums      get the larger of their exponents. What then lies more than 31 bits (of the sum
//                  so far: 24 bits) behind the point is cut, towards minus infinity
//   the result     is rounded to nearest even
// That is what Xie and others found on a GPU of CDNA3 (MMA-Sim, arXiv 2511.10909); AMD does not
// say.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace vgpu {

// A float as a whole number times a power of two. Infinities and NaNs are zeros here.
struct ScaledInteger {
  static constexpr int kNone =
      -600;  // the exponent of zero: below all others, even as a sum of two

  // With kFraction bits behind the point; exponents below kLeast become kLeast.
  template <int kFraction, int kLeast>
  static ScaledInteger Of(float value) {
    constexpr int kSingleFraction = 23;
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const int field = static_cast<int>(bits >> kSingleFraction & 0xff);
    const uint32_t fraction = bits & ((1u << kSingleFraction) - 1);
    const uint32_t whole = fraction | (field != 0 ? 1u << kSingleFraction : 0);
    const int exponent = std::max(field, 1) - 127;
    const int below = std::clamp(kLeast - exponent, 0, 31);
    const auto size = static_cast<int32_t>(whole >> (kSingleFraction - kFraction) >> below);
    if (size == 0 || field == 0xff) return {0, kNone};
    return {bits >> 31 != 0 ? -size : size, std::max(exponent, kLeast)};
  }

  int32_t number;
  int32_t exponent;
};

inline bool IsFinite(float value) {
  constexpr uint32_t kExponent = 0x7f800000;
  return (std::bit_cast<uint32_t>(value) & kExponent) != kExponent;
}

// Rows of A or columns of B: kCount of them, kDepth elements along the sum.
template <int kDepth, int kCount>
struct ScaledSide {
  template <int kFraction, int kLeast>
  void Set(const float (&side)[kDepth][kCount]) {
    for (int i = 0; i < kCount; ++i) finite[i] = true;
    for (int k = 0; k < kDepth; ++k) {
      for (int i = 0; i < kCount; ++i) {
        const auto scaled = ScaledInteger::Of<kFraction, kLeast>(side[k][i]);
        number[k][i] = scaled.number;
        exponent[k][i] = scaled.exponent;
        finite[i] = finite[i] && IsFinite(side[k][i]);
      }
    }
  }

  int32_t number[kDepth][kCount];
  int32_t exponent[kDepth][kCount];
  bool finite[kCount];
};

// Sums of products that are exact in single precision. kFraction: the fraction bits of A and B.
template <int kFraction, int kLeast, int kMostTogether>
class CutSums {
 public:
  template <int kDepth, int kCount>
  using Side = ScaledSide<kDepth, kCount>;

  template <int kDepth, int kCount>
  static void Scale(const float (&side)[kDepth][kCount], Side<kDepth, kCount>* out) {
    out->template Set<kFraction, kLeast>(side);
  }

  // sums[column] += the products of `row` of A and the columns of B. `left` and `right` are the
  // sides that `a` and `b` were made from.
  template <int kDepth, int kCount>
  static void Add(const Side<kDepth, kCount>& a, const Side<kDepth, kCount>& b,
                  const float (&left)[kDepth][kCount], const float (&right)[kDepth][kCount],
                  int row, float* sums) {
    constexpr int kTogether = std::min(kDepth, kMostTogether);
    for (int k = 0; k < kDepth; k += kTogether) {
      float before[kCount];
      int32_t exponents[kCount];
      std::copy_n(sums, kCount, before);
      AddSome<kTogether>(a, b, k, row, sums, exponents);
      bool special = !a.finite[row];
      for (int i = 0; i < kCount; ++i) {
        // Products of such exponents may be too large for single precision.
        const bool large = exponents[i] >= std::numeric_limits<float>::max_exponent - 2;
        special = special || !b.finite[i] || !IsFinite(before[i]) || large;
      }
      if (special) [[unlikely]] {
        for (int i = 0; i < kCount; ++i) {
          Replace<kTogether>(left, right, k, row, i, before[i], &sums[i]);
        }
      }
    }
  }

 private:
  static constexpr int kProductBits = 24;  // behind the point
  static constexpr int kSumBits = 31;
  static constexpr int kShift = kProductBits - 2 * kFraction;

  template <int kTogether, int kDepth, int kCount>
  static void AddSome(const Side<kDepth, kCount>& a, const Side<kDepth, kCount>& b, int first,
                      int row, float* sums, int32_t (&exponents)[kCount]) {
    int32_t totals[kCount] = {};
    for (int i = 0; i < kCount; ++i) exponents[i] = 2 * ScaledInteger::kNone;
    for (int k = first; k < first + kTogether; ++k) {
      for (int i = 0; i < kCount; ++i) {
        exponents[i] = std::max(exponents[i], a.exponent[k][row] + b.exponent[k][i]);
      }
    }
    for (int k = first; k < first + kTogether; ++k) {
      for (int i = 0; i < kCount; ++i) {
        const int32_t product = a.number[k][row] * b.number[k][i];
        const int32_t below = exponents[i] - a.exponent[k][row] - b.exponent[k][i];
        const int32_t size = std::abs(product) << kShift >> std::min(below, 31);
        totals[i] += product < 0 ? -size : size;
      }
    }
    for (int i = 0; i < kCount; ++i) sums[i] = Rounded(totals[i], exponents[i], sums[i]);
  }

  static double PowerOfTwo(int32_t n) {
    return std::bit_cast<double>(static_cast<uint64_t>(n + 1023) << 52);
  }

  // Computes in double precision, where every step is exact, so that the compiler makes vector
  // instructions of the loop that calls Rounded.
  static float Rounded(int32_t total, int32_t exponent, float sum) {
    constexpr int kSingleFraction = 23;
    constexpr int kLeastSingle = -126;
    constexpr int kFar = 200;  // so far behind the point that only the sign is left
    const auto old = ScaledInteger::Of<kSingleFraction, kLeastSingle>(sum);
    const int32_t larger = std::max({exponent, old.exponent, ScaledInteger::kNone});
    const int32_t below = std::min(larger - exponent, kFar);
    const int32_t old_below = std::min(larger - old.exponent, kFar);
    const double products =
        std::floor(static_cast<double>(total) * PowerOfTwo(kSumBits - kProductBits - below));
    const double before = std::floor(static_cast<double>(old.number) *
                                     PowerOfTwo(kProductBits - kSingleFraction - old_below));
    const double both = products + before * PowerOfTwo(kSumBits - kProductBits);
    return static_cast<float>(both * PowerOfTwo(larger - kSumBits));
  }

  // Replaces a sum where an infinity or a NaN takes part, or where a product becomes an infinity.
  template <int kTogether, int kDepth, int kCount>
  [[gnu::cold, gnu::noinline]] static void Replace(const float (&left)[kDepth][kCount],
                                                   const float (&right)[kDepth][kCount], int first,
                                                   int row, int column, float before, float* sum) {
    const double limit = std::ldexp(1.0, std::numeric_limits<float>::max_exponent);
    double exact = before;
    bool up = false;
    bool down = false;
    for (int k = first; k < first + kTogether; ++k) {
      const double product = double{left[k][row]} * double{right[k][column]};
      exact += product;
      up = up || product >= limit;
      down = down || product <= -limit;
    }
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    if (std::isnan(exact) || (!std::isinf(exact) && up && down)) {
      *sum = std::numeric_limits<float>::quiet_NaN();
    } else if (std::isinf(exact)) {
      *sum = static_cast<float>(exact);
    } else if (up || down) {
      *sum = up ? kInfinity : -kInfinity;
    }
  }
};

}  // namespace vgpu
