// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>

#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test {
namespace {

using U16 = uint16_t;
using I16 = int16_t;
using U32 = uint32_t;
using I32 = int32_t;
using I64 = int64_t;

U16 Word(U32 packed, bool high) { return static_cast<U16>(high ? packed >> 16 : packed); }
template <class T>
T Element(U32 packed, bool high) {
  return std::bit_cast<T>(Word(packed, high));
}

// One half of a packed result: the formula on the chosen halves, with the rule for NaNs.
template <class R, class... T>
U32 HalfResult(R (*formula)(T...), T... sources) {
  R result = formula(sources...);
  if constexpr (kIsFloat<R>) {
    if (IsNan(result)) result = NanOf<R>(sources...);
  }
  return static_cast<U16>(BitsOf(result));
}

// The formula on both halves. `swapped` is the selection of the ..._swapped snippets: the sources
// with even numbers give their halves crosswise.
template <class R, class... T, size_t... i>
void ExpectPackedOf(const std::string& label, R (*formula)(T...), bool swapped,
                    std::index_sequence<i...>) {
  Random random(SeedOf(label));
  for (int round = 0; round < kRounds; ++round) {
    RunSnippet(
        label.c_str(),
        [&](TestMachine& m) {
          m.SetMode(kDefaultMode);
          for (int lane = 0; lane < kLanes; ++lane) {
            ((m.SetVgpr(
                 2 + 2 * i, lane,
                 BitsOf(PickOperand<T>(&random)) | U32{BitsOf(PickOperand<T>(&random))} << 16)),
             ...);
          }
        },
        [&](TestMachine& m) {
          m.ForActive([&](int lane) {
            const U32 low = HalfResult<R, T...>(
                formula, Element<T>(m.Before(2 + 2 * i, lane), swapped && i % 2 == 0)...);
            const U32 high = HalfResult<R, T...>(
                formula, Element<T>(m.Before(2 + 2 * i, lane), !(swapped && i % 2 == 0))...);
            ASSERT_EQ(m.Vgpr(kResultRegister, lane), low | high << 16) << "lane " << lane;
          });
        });
  }
}
template <class R, class... T>
void ExpectPacked(const std::string& label, R (*formula)(T...)) {
  ExpectPackedOf(label, formula, false, std::index_sequence_for<T...>());
  ExpectPackedOf(label + "_swapped", formula, true, std::index_sequence_for<T...>());
}
template <class F>
void ExpectPacked(const char* label, F formula) {
  ExpectPacked(std::string(label), +formula);
}

TEST(ValuPacked, ComputesTwoHalves) {
  ExpectPacked("v_pk_add_f16", Sum<Half>);
  ExpectPacked("v_pk_mul_f16", Product<Half>);
  ExpectPacked("v_pk_min_f16", Lesser<Half>);
  ExpectPacked("v_pk_max_f16", Greater<Half>);
  ExpectPacked("v_pk_fma_f16", FusedMultiplyAdd<Half>);
}

TEST(ValuPacked, ComputesTwoWords) {
  ExpectPacked("v_pk_mad_i16",
               [](I16 a, I16 b, I16 c) { return static_cast<U16>(I64{a} * b + c); });
  ExpectPacked("v_pk_mad_u16",
               [](U16 a, U16 b, U16 c) { return static_cast<U16>(I64{a} * b + c); });
  ExpectPacked("v_pk_mul_lo_u16", [](U16 a, U16 b) { return static_cast<U16>(I64{a} * b); });
  ExpectPacked("v_pk_add_i16", [](I16 a, I16 b) { return static_cast<U16>(I64{a} + b); });
  ExpectPacked("v_pk_sub_i16", [](I16 a, I16 b) { return static_cast<U16>(I64{a} - b); });
  ExpectPacked("v_pk_add_u16", [](U16 a, U16 b) { return static_cast<U16>(I64{a} + b); });
  ExpectPacked("v_pk_sub_u16", [](U16 a, U16 b) { return static_cast<U16>(I64{a} - b); });
  ExpectPacked("v_pk_lshlrev_b16", [](U16 a, U16 b) { return static_cast<U16>(I64{b} << a % 16); });
  ExpectPacked("v_pk_lshrrev_b16", [](U16 a, U16 b) { return static_cast<U16>(b >> a % 16); });
  ExpectPacked("v_pk_ashrrev_i16", [](U16 a, I16 b) { return static_cast<U16>(b >> a % 16); });
  ExpectPacked("v_pk_min_i16", [](I16 a, I16 b) { return a < b ? a : b; });
  ExpectPacked("v_pk_max_i16", [](I16 a, I16 b) { return a < b ? b : a; });
  ExpectPacked("v_pk_min_u16", [](U16 a, U16 b) { return a < b ? a : b; });
  ExpectPacked("v_pk_max_u16", [](U16 a, U16 b) { return a < b ? b : a; });
}

// Both halves by a formula on whole registers.
U32 Both(U32 low, U32 high) { return (low & 0xffff) | high << 16; }
U32 HalfSum(Half a, Half b) { return HalfResult<Half, Half, Half>(Sum<Half>, a, b); }
Half Negated(Half value) { return std::bit_cast<Half>(static_cast<U16>(BitsOf(value) ^ 0x8000)); }

TEST(ValuPacked, NegatesTheHalvesSeparately) {
  ExpectLanes("v_pk_add_f16_negated", [](U32 a, U32 b) {
    return Both(HalfSum(Negated(Element<Half>(a, false)), Element<Half>(b, false)),
                HalfSum(Element<Half>(a, true), Negated(Element<Half>(b, true))));
  });
}

TEST(ValuPacked, ConstantsStandInTheLowHalf) {
  ExpectLanes("v_pk_add_f16_constant", [](U32 a) {
    const Half two = static_cast<Half>(2.0f);
    return Both(HalfSum(Element<Half>(a, false), two), HalfSum(Element<Half>(a, true), two));
  });
  ExpectLanes("v_pk_sub_u16_constant",
              [](U32 a) { return Both(Word(a, false) - 7u, Word(a, true) - 7u); });
}

TEST(ValuPacked, ScalarsHaveTwoHalvesToo) {
  Options options;
  options.prepare = [](TestMachine& m) { m.SetSgpr(4, 0xbc003800); };  // -1, 0.5
  ExpectLanes(
      "v_pk_add_f16_scalar",
      [](U32 a) {
        return Both(HalfSum(Element<Half>(a, false), static_cast<Half>(0.5f)),
                    HalfSum(Element<Half>(a, true), static_cast<Half>(-1.0f)));
      },
      options);
}

Half ClampedProduct(Half a, Half b) {
  const Half product = Product(a, b);
  const double value = static_cast<double>(product);
  if (std::isnan(value) || value <= 0) return static_cast<Half>(0.0f);
  return value >= 1 ? static_cast<Half>(1.0f) : product;
}

TEST(ValuPacked, ClampBoundsEachHalf) {
  ExpectLanes("v_pk_mul_f16_clamp", [](U32 a, U32 b) {
    return Both(BitsOf(ClampedProduct(Element<Half>(a, false), Element<Half>(b, false))),
                BitsOf(ClampedProduct(Element<Half>(a, true), Element<Half>(b, true))));
  });
  ExpectLanes("v_pk_add_i16_clamp", [](U32 a, U32 b) {
    const auto sum = [&](bool high) {
      return std::clamp(Element<I16>(a, high) + Element<I16>(b, high), -0x8000, 0x7fff);
    };
    return Both(static_cast<U32>(sum(false)), static_cast<U32>(sum(true)));
  });
  ExpectLanes("v_pk_sub_i16_clamp", [](U32 a, U32 b) {
    const auto difference = [&](bool high) {
      return std::clamp(Element<I16>(a, high) - Element<I16>(b, high), -0x8000, 0x7fff);
    };
    return Both(static_cast<U32>(difference(false)), static_cast<U32>(difference(true)));
  });
  ExpectLanes("v_pk_add_u16_clamp", [](U32 a, U32 b) {
    const auto sum = [&](bool high) { return std::min(Word(a, high) + Word(b, high), 0xffff); };
    return Both(static_cast<U32>(sum(false)), static_cast<U32>(sum(true)));
  });
  ExpectLanes("v_pk_sub_u16_clamp", [](U32 a, U32 b) {
    const auto difference = [&](bool high) { return std::max(Word(a, high) - Word(b, high), 0); };
    return Both(static_cast<U32>(difference(false)), static_cast<U32>(difference(true)));
  });
  ExpectLanes("v_pk_mad_u16_clamp", [](U32 a, U32 b, U32 c) {
    const auto sum = [&](bool high) {
      return std::min<I64>(I64{Word(a, high)} * Word(b, high) + Word(c, high), 0xffff);
    };
    return Both(static_cast<U32>(sum(false)), static_cast<U32>(sum(true)));
  });
}

// ---- Mixed precision

// A half as a float; a signalling NaN becomes quiet.
float Widened(U32 packed, bool high) { return static_cast<float>(Element<Half>(packed, high)); }
U32 FmaBits(float a, float b, float c) {
  const float result = FusedMultiplyAdd(a, b, c);
  return BitsOf(IsNan(result) ? NanOf<float>(a, b, c) : result);
}
float AsFloat(U32 bits) { return std::bit_cast<float>(bits); }

TEST(ValuPacked, MixesHalvesAndSingles) {
  ExpectLanes("v_fma_mix_f32", FusedMultiplyAdd<float>);
  ExpectLanes("v_fma_mix_f32_low", [](U32 a, U32 b, U32 c) {
    return FmaBits(Widened(a, false), AsFloat(b), Widened(c, false));
  });
  ExpectLanes("v_fma_mix_f32_high", [](U32 a, U32 b, U32 c) {
    return FmaBits(Widened(a, true), AsFloat(b), Widened(c, true));
  });
  ExpectLanes("v_fma_mix_f32_modified", [](U32 a, U32 b, U32 c) {
    return FmaBits(Widened(a ^ 0x8000, false), AsFloat(b & 0x7fffffff), AsFloat(c | 0x80000000));
  });
}

U16 MixedHalf(float a, float b, float c) {
  const float sum = AsFloat(FmaBits(a, b, c));
  if (!IsNan(sum)) return BitsOf(static_cast<Half>(sum));
  return static_cast<U16>((BitsOf(sum) >> 16 & 0x8000) | 0x7e00 | (BitsOf(sum) >> 13 & 0x1ff));
}

TEST(ValuPacked, MixedResultsGoToOneHalf) {
  ExpectLanes("v_fma_mixlo_f16", MixedHalf, {.keeps_high = true});
  ExpectLanes("v_fma_mixhi_f16", MixedHalf, {.to_high = true});
  ExpectLanes("v_fma_mixlo_f16_clamp",
              [](float a, float b, float c) {
                const double value = static_cast<double>(std::bit_cast<Half>(MixedHalf(a, b, c)));
                if (std::isnan(value) || value <= 0) return U16{0};
                return value >= 1 ? U16{0x3c00} : MixedHalf(a, b, c);
              },
              {.keeps_high = true});
}

// ---- Dot products

template <int bits, bool is_signed>
I64 Dot(U32 a, U32 b) {
  I64 sum = 0;
  for (int i = 0; i < 32; i += bits) {
    I64 x = a >> i & ((1u << bits) - 1);
    I64 y = b >> i & ((1u << bits) - 1);
    if (is_signed && x >= 1 << (bits - 1)) x -= 1 << bits;
    if (is_signed && y >= 1 << (bits - 1)) y -= 1 << bits;
    sum += x * y;
  }
  return sum;
}
U32 ClampToI32(I64 sum) {
  return static_cast<U32>(std::clamp<I64>(sum, -0x80000000ll, 0x7fffffff));
}
U32 ClampToU32(I64 sum) { return static_cast<U32>(std::min<I64>(sum, 0xffffffff)); }

TEST(ValuPacked, AddsProductsOfIntegers) {
  ExpectLanes("v_dot2_i32_i16",
              [](U32 a, U32 b, I32 c) { return static_cast<U32>(Dot<16, true>(a, b) + c); });
  ExpectLanes("v_dot2_i32_i16_clamp",
              [](U32 a, U32 b, I32 c) { return ClampToI32(Dot<16, true>(a, b) + c); });
  ExpectLanes("v_dot2_u32_u16",
              [](U32 a, U32 b, U32 c) { return static_cast<U32>(Dot<16, false>(a, b) + c); });
  ExpectLanes("v_dot2_u32_u16_clamp",
              [](U32 a, U32 b, U32 c) { return ClampToU32(Dot<16, false>(a, b) + c); });
  ExpectLanes("v_dot4_i32_i8",
              [](U32 a, U32 b, I32 c) { return static_cast<U32>(Dot<8, true>(a, b) + c); });
  ExpectLanes("v_dot4_i32_i8_clamp",
              [](U32 a, U32 b, I32 c) { return ClampToI32(Dot<8, true>(a, b) + c); });
  ExpectLanes("v_dot4_u32_u8",
              [](U32 a, U32 b, U32 c) { return static_cast<U32>(Dot<8, false>(a, b) + c); });
  ExpectLanes("v_dot4_u32_u8_clamp",
              [](U32 a, U32 b, U32 c) { return ClampToU32(Dot<8, false>(a, b) + c); });
  ExpectLanes("v_dot8_i32_i4",
              [](U32 a, U32 b, I32 c) { return static_cast<U32>(Dot<4, true>(a, b) + c); });
  ExpectLanes("v_dot8_u32_u4",
              [](U32 a, U32 b, U32 c) { return static_cast<U32>(Dot<4, false>(a, b) + c); });
  ExpectLanes("v_dot8_u32_u4_clamp",
              [](U32 a, U32 b, U32 c) { return ClampToU32(Dot<4, false>(a, b) + c); });
}

// Sums of small integers are exact, so that every order of adding them gives the same.
void ExpectFloatDot(const char* label, double low_sign, double high_sign) {
  RunSnippet(
      label,
      [](TestMachine& m) {
        m.SetMode(kDefaultMode);
        Random random(11);
        for (int lane = 0; lane < kLanes; ++lane) {
          for (const uint32_t number : {2, 4}) {
            const auto low = static_cast<Half>(static_cast<float>(random.Next() % 201) - 100);
            const auto high = static_cast<Half>(static_cast<float>(random.Next() % 201) - 100);
            m.SetVgpr(number, lane, BitsOf(low) | U32{BitsOf(high)} << 16);
          }
          m.SetVgpr(6, lane, BitsOf(static_cast<float>(random.Next() % 1000)));
        }
      },
      [&](TestMachine& m) {
        m.ForActive([&](int lane) {
          const U32 a = m.Before(2, lane);
          const U32 b = m.Before(4, lane);
          const double low = double{Widened(a, false)} * Widened(b, false);
          const double high = double{Widened(a, true)} * Widened(b, true);
          const double sum = low_sign * low + high_sign * high + AsFloat(m.Before(6, lane));
          EXPECT_EQ(m.Vgpr(kResultRegister, lane), BitsOf(static_cast<float>(sum)));
        });
      });
}

TEST(ValuPacked, AddsProductsOfHalves) {
  ExpectFloatDot("v_dot2_f32_f16", 1, 1);
  ExpectFloatDot("v_dot2_f32_f16_negated", -1, -1);
}

}  // namespace
}  // namespace vgpu::valu::test
