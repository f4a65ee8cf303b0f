// SPDX-License-Identifier: MIT
// How products of matrices of short floats are rounded, compared with the published models of
// CDNA2 and CDNA3 as they are published (valu_matrix.cpp): random matrices of 16 x 16, with
// denormals. matrix_sums_test.cpp has infinities and NaNs.
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "vgpu/wave/isa.h"
#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test::matrix_rounding_test {
namespace {

constexpr int kSize = 16;
constexpr uint32_t kA = 2;
constexpr uint32_t kSums = 64;

float OfHalf(uint32_t bits) {
  return static_cast<float>(std::bit_cast<Half>(static_cast<uint16_t>(bits)));
}
float OfBrain(uint32_t bits) { return std::bit_cast<float>(bits << 16); }
float OfReduced(uint32_t bits) { return std::bit_cast<float>(bits & 0xffffe000); }

struct Product {
  const char* instruction;
  uint32_t b;  // the first register of B
  int depth;
  int bits;  // of an element
  float (*value)(uint32_t bits);
  int together;  // products that are added first
  double least;  // the least normal number of an element
};

// On gfx90a each step is rounded and has no denormals.
float Flushed(float value) {
  return std::fabs(value) < 0x1p-126f ? std::copysign(0.0f, value) : value;
}

float SumOfGfx90a(const Product& p, const std::vector<float>& a, const std::vector<float>& b,
                  float c) {
  const auto read = [](float value, double least) {
    return static_cast<double>(std::fabs(value)) < least ? 0.0f : value;
  };
  float sum = read(c, 0x1p-126);
  for (size_t k = 0; k < a.size(); k += static_cast<size_t>(p.together)) {
    std::vector<float> some;
    for (size_t j = k; j < k + static_cast<size_t>(p.together); ++j) {
      some.push_back(Flushed(read(a[j], p.least) * read(b[j], p.least)));
    }
    while (some.size() > 1) {
      std::vector<float> pairs;
      for (size_t j = 0; j < some.size(); j += 2) pairs.push_back(Flushed(some[j] + some[j + 1]));
      some = pairs;
    }
    sum = Flushed(sum + some[0]);
  }
  return sum;
}

struct Number {
  double significand;
  int exponent;
};
Number NumberOf(float value, double least) {
  if (value == 0) return {0, -999};
  const int exponent = std::max(std::ilogb(value), std::ilogb(least));
  return {std::ldexp(static_cast<double>(value), -exponent), exponent};
}

float SumOfGfx942(const Product& p, const std::vector<float>& a, const std::vector<float>& b,
                  float c) {
  for (size_t k = 0; k < a.size(); k += static_cast<size_t>(p.together)) {
    std::vector<Number> products;
    int largest = -3000;
    for (size_t j = k; j < k + static_cast<size_t>(p.together); ++j) {
      const Number x = NumberOf(a[j], p.least), y = NumberOf(b[j], p.least);
      products.push_back({x.significand * y.significand, x.exponent + y.exponent});
      largest = std::max(largest, products.back().exponent);
    }
    double sum = 0;
    for (const Number& n : products) {
      sum += std::ldexp(std::trunc(std::ldexp(n.significand, 24 + n.exponent - largest)), -24);
    }
    const Number old = NumberOf(c, 0x1p-126);
    const int both = std::max(largest, old.exponent);
    sum = std::ldexp(std::floor(std::ldexp(sum, 31 + largest - both)), -31);
    sum += std::ldexp(std::floor(std::ldexp(old.significand, 24 + old.exponent - both)), -24);
    c = static_cast<float>(std::ldexp(sum, both));
  }
  return c;
}

// Random elements. Their exponents are a few neighbouring ones, so that bits are lost, or any.
class Matrices {
 public:
  Matrices(const Product& p, uint32_t seed) : product_(p), random_(seed) {
    const bool any = seed % 3 == 0;
    for (auto* side : {&a_, &b_}) {
      side->resize(static_cast<size_t>(kSize * p.depth));
      for (uint32_t& bits : *side) bits = Element(any);
    }
    for (float& c : c_) {
      c = std::ldexp(static_cast<float>(random_() % 0x1000000),
                     static_cast<int>(random_() % 40) - 34);
      if (random_() % 2 != 0) c = -c;
    }
  }

  void Set(TestMachine& m) const {
    const int per_lane = kSize * product_.depth / kLanes;
    for (int lane = 0; lane < kLanes; ++lane) {
      uint64_t a = 0, b = 0;
      for (int i = 0; i < per_lane; ++i) {
        const int k = lane / kSize * per_lane + i;
        a |= uint64_t{a_[At(lane % kSize, k)]} << product_.bits * i;
        b |= uint64_t{b_[At(lane % kSize, k)]} << product_.bits * i;
      }
      m.SetVgpr64(kA, lane, a);
      m.SetVgpr64(product_.b, lane, b);
      for (int i = 0; i < 4; ++i) {
        m.SetVgpr(kSums + static_cast<uint32_t>(i), lane, BitsOf(c_[SumAt(i, lane)]));
      }
    }
  }

  template <class Sum>
  void Expect(TestMachine& m, Sum sum) const {
    m.AllowDisabledLanes();
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int i = 0; i < 4; ++i) {
        std::vector<float> a, b;
        for (int k = 0; k < product_.depth; ++k) {
          a.push_back(product_.value(a_[At(4 * (lane / kSize) + i, k)]));
          b.push_back(product_.value(b_[At(lane % kSize, k)]));
        }
        const float want = sum(product_, a, b, c_[SumAt(i, lane)]);
        ASSERT_EQ(m.Vgpr(kSums + static_cast<uint32_t>(i), lane), BitsOf(want))
            << product_.instruction << " lane " << lane << " sum " << i;
      }
    }
  }

 private:
  size_t At(int row, int k) const { return static_cast<size_t>(row * product_.depth + k); }
  static size_t SumAt(int i, int lane) { return static_cast<size_t>(i * kLanes + lane); }

  // The bits of a finite number.
  uint32_t Element(bool any) {
    for (;;) {
      const auto word = static_cast<uint32_t>(random_());
      const uint32_t bits = product_.bits == 32 ? word : word & 0xffff;
      const float value = std::fabs(product_.value(bits));
      const bool some = value > 0.001f && value < 8;
      const bool small = product_.bits == 32 && value > 0 && value < 0x1p60f;
      if (std::isfinite(value) &&
          (some || (any && (product_.bits == 16 ? value < 0x1p50f : small))))
        return bits;
    }
  }

  const Product& product_;
  std::mt19937 random_;
  std::vector<uint32_t> a_, b_;  // by row or column, and then along the sum
  float c_[4 * kLanes];
};

template <class Sum>
void ExpectSums(const Product& product, Sum sum) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const Matrices matrices(product, seed);
    RunSnippet(
        product.instruction, [&](TestMachine& m) { matrices.Set(m); },
        [&](TestMachine& m) { matrices.Expect(m, sum); });
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(MatrixRounding, OfGfx90aIsThatOfThePublishedModel) {
  const ScopedIsa isa(0x90a);
  constexpr Product kProducts[] = {
      {"v_mfma_f32_16x16x16f16", 6, 16, 16, OfHalf, 4, 0x1p-14},
      {"v_mfma_f32_16x16x16bf16_1k", 6, 16, 16, OfBrain, 4, 0x1p-126},
      {"v_mfma_f32_16x16x8bf16", 6, 8, 16, OfBrain, 2, 0x1p-126},
  };
  for (const Product& product : kProducts) ExpectSums(product, SumOfGfx90a);
}

TEST(MatrixRounding, OfGfx942IsThatOfThePublishedModel) {
  const ScopedIsa isa(0x942);
  constexpr Product kProducts[] = {
      {"v_mfma_f32_16x16x16_f16", 20, 16, 16, OfHalf, 8, 0x1p-14},
      {"v_mfma_f32_16x16x16_bf16", 20, 16, 16, OfBrain, 8, 0x1p-126},
      {"v_mfma_f32_16x16x8_xf32", 20, 8, 32, OfReduced, 4, 0x1p-126},
  };
  for (const Product& product : kProducts) ExpectSums(product, SumOfGfx942);
}

}  // namespace
}  // namespace vgpu::valu::test::matrix_rounding_test
