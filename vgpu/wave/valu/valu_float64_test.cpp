// SPDX-License-Identifier: MIT
#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test {
namespace {

TEST(ValuFloat64, AddsMultipliesAndFuses) {
  ExpectLanes("v_add_f64", [](double a, double b) {
    return static_cast<double>(SumToOdd(__float128(a), __float128(b)));
  });
  ExpectLanes("v_mul_f64", Product<double>);
  ExpectLanes("v_fma_f64", FusedMultiplyAdd<double>);
}

TEST(ValuFloat64, FindsMinimumAndMaximum) {
  ExpectLanes("v_min_f64", Lesser<double>);
  ExpectLanes("v_max_f64", Greater<double>);
}

TEST(ValuFloat64, RootsAndReciprocals) {
  ExpectLanes("v_rcp_f64", [](double a) { return static_cast<double>(__float128(1) / a); });
  ExpectLanes("v_sqrt_f64", [](double a) { return std::sqrt(a); });
  const Options near = {.ulps = 1};
  ExpectLanes(
      "v_rsq_f64",
      [](double a) { return static_cast<double>(1.0L / std::sqrt(static_cast<long double>(a))); },
      near);
}

// The square of a correctly rounded root lies within half a last place of the operand: checked
// without another square root.
TEST(ValuFloat64, SquareRootsAreCorrectlyRounded) {
  RunSnippet(
      "v_sqrt_f64",
      [](TestMachine& m) {
        m.SetMode(kDefaultMode);
        Random random(7);
        for (int lane = 0; lane < kLanes; ++lane) {
          const uint64_t bits = (random.Next() >> 2) % 0x7ff0000000000000;
          m.SetVgpr64(2, lane, bits | 0x0010000000000000);
        }
      },
      [](TestMachine& m) {
        m.ForActive([&](int lane) {
          const __float128 square = SourceBefore<double>(m, 2, lane);
          const double root = std::bit_cast<double>(m.Vgpr64(kResultRegister, lane));
          const __float128 half_place = (__float128(std::nextafter(root, INFINITY)) - root) / 2;
          const __float128 above = root + half_place;
          const __float128 below = root - half_place;
          EXPECT_TRUE(below * below <= square && square <= above * above) << "lane " << lane;
        });
      });
}

TEST(ValuFloat64, RoundsToIntegralValues) {
  ExpectLanes("v_floor_f64", [](double a) {
    return static_cast<double>(std::floor(static_cast<long double>(a)));
  });
  ExpectLanes("v_ceil_f64",
              [](double a) { return static_cast<double>(std::ceil(static_cast<long double>(a))); });
  ExpectLanes("v_trunc_f64", [](double a) {
    return static_cast<double>(std::trunc(static_cast<long double>(a)));
  });
  ExpectLanes("v_rndne_f64", [](double a) {
    return static_cast<double>(std::nearbyint(static_cast<long double>(a)));
  });
  ExpectLanes("v_fract_f64", FractionOf<double>);
}

TEST(ValuFloat64, TakesApartAndScales) {
  ExpectLanes("v_frexp_mant_f64", [](double a) {
    if (std::isinf(a)) return a;
    return static_cast<double>(std::ldexp(static_cast<long double>(a), -ExponentOf(a)));
  });
  ExpectLanes("v_frexp_exp_i32_f64", ExponentOf<double>);
  ExpectLanes("v_ldexp_f64", Scaled<double>);
}

// 2 / pi as 2^1216 * 2 / pi, from Machin's formula in 32-bit limbs, lowest first.
constexpr int kLimbs = 44;
constexpr int kFraction = 40;  // limbs after the point
struct BigNumber {
  uint32_t limb[kLimbs] = {};

  void Divide(uint32_t divisor) {
    uint64_t rest = 0;
    for (int i = kLimbs - 1; i >= 0; --i) {
      rest = rest << 32 | limb[i];
      limb[i] = static_cast<uint32_t>(rest / divisor);
      rest %= divisor;
    }
  }
  void Multiply(uint32_t factor) {
    uint64_t carry = 0;
    for (uint32_t& l : limb) {
      carry += uint64_t{l} * factor;
      l = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  void Add(const BigNumber& other) {
    uint64_t carry = 0;
    for (int i = 0; i < kLimbs; ++i) {
      carry += uint64_t{limb[i]} + other.limb[i];
      limb[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  void Subtract(const BigNumber& other) {
    int64_t borrow = 0;
    for (int i = 0; i < kLimbs; ++i) {
      borrow += int64_t{limb[i]} - other.limb[i];
      limb[i] = static_cast<uint32_t>(borrow);
      borrow >>= 32;
    }
  }
  bool Less(const BigNumber& other) const {
    for (int i = kLimbs - 1; i >= 0; --i) {
      if (limb[i] != other.limb[i]) return limb[i] < other.limb[i];
    }
    return false;
  }
  bool IsZero() const {
    for (const uint32_t l : limb) {
      if (l != 0) return false;
    }
    return true;
  }
};

BigNumber ArcTangentOfInverse(uint32_t x) {
  BigNumber power;
  power.limb[kFraction] = 1;
  power.Divide(x);
  BigNumber sum = power;
  bool negative = true;
  for (uint32_t n = 3; !power.IsZero(); n += 2, negative = !negative) {
    power.Divide(x * x);
    BigNumber term = power;
    term.Divide(n);
    negative ? sum.Subtract(term) : sum.Add(term);
  }
  return sum;
}

// Binary digits of 2 / pi after the point, by long division.
std::vector<bool> TwoOverPiDigits(int count) {
  BigNumber pi = ArcTangentOfInverse(5);
  pi.Multiply(4);
  pi.Subtract(ArcTangentOfInverse(239));
  pi.Multiply(4);
  BigNumber rest;
  rest.limb[kFraction] = 2;
  std::vector<bool> digits;
  for (int i = 0; i < count; ++i) {
    rest.Multiply(2);
    digits.push_back(!rest.Less(pi));
    if (digits.back()) rest.Subtract(pi);
  }
  return digits;
}

TEST(ValuFloat64, TrigPreopGivesSegmentsOfTwoOverPi) {
  static const std::vector<bool> digits = TwoOverPiDigits(1201);
  ExpectLanes("v_trig_preop_f64", [](double argument, uint32_t segment) {
    const int exponent = static_cast<int>(BitsOf(argument) >> 52 & 0x7ff);
    int shift = static_cast<int>(segment & 31) * 53;
    if (exponent > 1077) shift += exponent - 1077;
    double value = 0;
    for (int i = shift; i < shift + 53; ++i) {
      value = 2 * value + (i < static_cast<int>(digits.size()) && digits[i] ? 1 : 0);
    }
    return std::ldexp(value, (exponent >= 1968 ? 128 : 0) - 53 - shift);
  });
}

}  // namespace
}  // namespace vgpu::valu::test
