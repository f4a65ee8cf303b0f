// SPDX-License-Identifier: MIT
// Compares sums with the published model, written as it is published: real numbers, and the bits
// behind the point that each step keeps.
#include "vgpu/wave/matrix/matrix_sums.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace vgpu::matrix_sums_test {
namespace {

struct Number {
  double significand;  // at least 1 and less than 2, unless it is zero or a denormal
  int exponent;
};

Number NumberOf(double value, int least) {
  if (value == 0) return {0, -999};
  int exponent;
  double significand = 2 * std::frexp(value, &exponent);
  --exponent;
  if (exponent < least) {
    significand = std::ldexp(significand, exponent - least);
    exponent = least;
  }
  return {significand, exponent};
}

float Expected(const std::vector<float>& a, const std::vector<float>& b, float c, int least) {
  const double infinity = std::ldexp(1.0, 128);
  double plain = c;
  bool up = false, down = false;
  std::vector<Number> products;
  for (size_t i = 0; i < a.size(); ++i) {
    const double product = static_cast<double>(a[i]) * static_cast<double>(b[i]);
    plain += product;
    up = up || product >= infinity;
    down = down || product <= -infinity;
    const Number x = NumberOf(a[i], least), y = NumberOf(b[i], least);
    products.push_back({x.significand * y.significand, x.exponent + y.exponent});
  }
  if (!std::isfinite(plain)) return static_cast<float>(plain);
  if (up && down) return NAN;
  if (up || down) return up ? INFINITY : -INFINITY;
  int exponent = products[0].exponent;
  for (const Number& p : products) exponent = std::max(exponent, p.exponent);
  double sum = 0;
  for (const Number& p : products) {
    sum += std::ldexp(std::trunc(std::ldexp(p.significand, 24 + p.exponent - exponent)), -24);
  }
  const Number old = NumberOf(c, -126);
  const int larger = std::max(exponent, old.exponent);
  sum = std::ldexp(std::floor(std::ldexp(sum, 31 + exponent - larger)), -31);
  sum += std::ldexp(std::floor(std::ldexp(old.significand, 24 + old.exponent - larger)), -24);
  return static_cast<float>(std::ldexp(sum, larger));
}

// Few exponents or many; some zeros, infinities and NaNs.
class Floats {
 public:
  explicit Floats(uint32_t seed) : random_(seed) {}
  float Next(int most, uint32_t kept, bool only_finite) {
    const uint32_t kind = Word() % 200;
    if (kind < 8) return kind % 2 != 0 ? 0.0f : -0.0f;
    if (kind == 8 && !only_finite) return kind % 2 != 0 ? INFINITY : -INFINITY;
    if (kind == 9 && !only_finite) return NAN;
    const int range = 2 * most + 1;
    const int exponent = static_cast<int>(Word() % static_cast<uint32_t>(range)) - most;
    const uint32_t field = static_cast<uint32_t>(std::clamp(exponent + 127, 0, 254));
    return std::bit_cast<float>((Word() & 0x807fffff & kept) | field << 23);
  }
  uint32_t Word() { return static_cast<uint32_t>(random_()); }

 private:
  std::mt19937 random_;
};

constexpr int kDepth = 8;
constexpr int kCount = 16;

template <class Adder, int kLeast, int kTogether>
void Compare(uint32_t kept, uint32_t seed) {
  Floats floats(seed);
  for (int round = 0; round < 4000; ++round) {
    float left[kDepth][kCount], right[kDepth][kCount], sums[kCount], want[kCount];
    const int most = round % 4 == 0 ? 127 : round % 4 == 1 ? 3 : round % 4 == 2 ? 14 : 64;
    const bool only_finite = round % 8 < 6;
    for (auto& row : left) {
      for (float& value : row) value = floats.Next(most, kept, only_finite);
    }
    for (auto& row : right) {
      for (float& value : row) value = floats.Next(most, kept, only_finite);
    }
    const int row = static_cast<int>(floats.Word() % kCount);
    for (int i = 0; i < kCount; ++i) {
      sums[i] = want[i] = floats.Next(most, ~0u, only_finite);
      for (int k = 0; k < kDepth; k += kTogether) {
        std::vector<float> a, b;
        for (int j = k; j < k + kTogether; ++j) {
          a.push_back(left[j][row]);
          b.push_back(right[j][i]);
        }
        want[i] = Expected(a, b, want[i], kLeast);
      }
    }
    typename Adder::template Side<kDepth, kCount> rows, columns;
    Adder::Scale(left, &rows);
    Adder::Scale(right, &columns);
    Adder::Add(rows, columns, left, right, row, sums);
    for (int i = 0; i < kCount; ++i) {
      if (std::isnan(want[i])) {
        ASSERT_TRUE(std::isnan(sums[i])) << round << " " << i;
      } else {
        ASSERT_EQ(std::bit_cast<uint32_t>(sums[i]), std::bit_cast<uint32_t>(want[i]))
            << round << " " << i << " " << sums[i] << " " << want[i];
      }
    }
  }
}

TEST(CutSums, AreThoseOfThePublishedModel) {
  Compare<CutSums<10, -126, 4>, -126, 4>(0xffffe000, 1);
  Compare<CutSums<7, -126, 8>, -126, 8>(0xffff0000, 2);
}

float SumOfOneProduct(float a, float b, float c) {
  using Adder = CutSums<10, -126, 4>;
  const float left[1][1] = {{a}}, right[1][1] = {{b}};
  Adder::Side<1, 1> rows, columns;
  Adder::Scale(left, &rows);
  Adder::Scale(right, &columns);
  Adder::Add(rows, columns, left, right, 0, &c);
  return c;
}

TEST(CutSums, CutWhatIsTooSmallTowardsMinusInfinity) {
  EXPECT_EQ(SumOfOneProduct(0x1p26f, 1, 1), 0x1p26f);
  EXPECT_EQ(SumOfOneProduct(0x1p26f, 1, -1), 0x1p26f - 4);
}

}  // namespace
}  // namespace vgpu::matrix_sums_test
