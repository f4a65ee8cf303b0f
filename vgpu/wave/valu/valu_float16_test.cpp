// SPDX-License-Identifier: MIT
#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test::float16 {
namespace {

const Half kPi = std::bit_cast<Half>(uint16_t{0x4248});
const Options kAccumulates = {.registers = {2, 4, kResultRegister}};
const Options kKeepsHigh = {.keeps_high = true};
const Options kToHigh = {.to_high = true};

TEST(ValuFloat16, AddsSubtractsAndMultiplies) {
  ExpectLanes("v_add_f16", Sum<Half>);
  ExpectLanes("v_sub_f16", Difference<Half>);
  ExpectLanes("v_subrev_f16", [](Half a, Half b) { return Difference(b, a); });
  ExpectLanes("v_mul_f16", Product<Half>);
}

TEST(ValuFloat16, FmaRoundsOnce) {
  ExpectLanes("v_fma_legacy_f16", FusedMultiplyAdd<Half>);
  ExpectLanes("v_fma_f16", FusedMultiplyAdd<Half>, kKeepsHigh);
  ExpectLanes("v_fma_f16_to_high", FusedMultiplyAdd<Half>, kToHigh);
}

TEST(ValuFloat16, MadRoundsTheProductAndFlushesDenormals) {
  ExpectLanes("v_mad_legacy_f16", SeparateMultiplyAdd<Half>);
  ExpectLanes("v_mad_f16", SeparateMultiplyAdd<Half>, kKeepsHigh);
  ExpectLanes("v_mad_f16_to_high", SeparateMultiplyAdd<Half>, kToHigh);
  ExpectLanes("v_mac_f16", SeparateMultiplyAdd<Half>, kAccumulates);
  ExpectLanes("v_madmk_f16", [](Half a, Half b) { return SeparateMultiplyAdd(a, kPi, b); });
  ExpectLanes("v_madak_f16", [](Half a, Half b) { return SeparateMultiplyAdd(a, b, kPi); });
}

TEST(ValuFloat16, SourceSelectionTakesHighHalves) {
  ExpectLanes(
      "v_fma_f16_from_high",
      [](uint32_t a, Half b, uint32_t c) {
        const Half high_a = std::bit_cast<Half>(static_cast<uint16_t>(a >> 16));
        const Half high_c = std::bit_cast<Half>(static_cast<uint16_t>(c >> 16));
        const Half result = FusedMultiplyAdd(high_a, b, high_c);
        return BitsOf(IsNan(result) ? NanOf<Half>(high_a, b, high_c) : result);
      },
      kKeepsHigh);
}

TEST(ValuFloat16, FindsMinimumMaximumAndMedian) {
  ExpectLanes("v_min_f16", Lesser<Half>);
  ExpectLanes("v_max_f16", Greater<Half>);
  ExpectLanes("v_min3_f16", LeastOf3<Half>, kKeepsHigh);
  ExpectLanes("v_max3_f16", GreatestOf3<Half>, kKeepsHigh);
  ExpectLanes("v_med3_f16", MiddleOf3<Half>, kKeepsHigh);
  ExpectLanes("v_med3_f16_to_high", MiddleOf3<Half>, kToHigh);
}

TEST(ValuFloat16, RootsAndReciprocalsAreCorrectlyRounded) {
  ExpectLanes("v_rcp_f16", [](Half a) { return static_cast<Half>(1.0 / static_cast<double>(a)); });
  ExpectLanes("v_sqrt_f16",
              [](Half a) { return static_cast<Half>(std::sqrt(static_cast<double>(a))); });
  ExpectLanes("v_rsq_f16", [](Half a) {
    return static_cast<Half>(1.0L / std::sqrt(static_cast<long double>(a)));
  });
}

TEST(ValuFloat16, TranscendentalFunctionsAreWithinOneUlp) {
  const Options near = {.ulps = 1};
  const auto exp2 = [](Half a) { return static_cast<Half>(std::exp2(static_cast<double>(a))); };
  const auto log2 = [](Half a) { return static_cast<Half>(std::log2(static_cast<double>(a))); };
  ExpectLanes("v_exp_f16", exp2, near);
  ExpectLanes("v_log_f16", log2, near);
  ExpectLanes(
      "v_sin_f16", [](Half a) { return static_cast<Half>(SinOfTurns(a)); }, near);
  ExpectLanes(
      "v_cos_f16", [](Half a) { return static_cast<Half>(CosOfTurns(a)); }, near);
}

TEST(ValuFloat16, RoundsToIntegralValues) {
  ExpectLanes("v_floor_f16", [](Half a) { return static_cast<Half>(std::floor(double{a})); });
  ExpectLanes("v_ceil_f16", [](Half a) { return static_cast<Half>(std::ceil(double{a})); });
  ExpectLanes("v_trunc_f16", [](Half a) { return static_cast<Half>(std::trunc(double{a})); });
  ExpectLanes("v_rndne_f16", [](Half a) { return static_cast<Half>(std::nearbyint(double{a})); });
  ExpectLanes("v_fract_f16", FractionOf<Half>);
}

TEST(ValuFloat16, TakesApartAndScales) {
  ExpectLanes("v_frexp_mant_f16", MantissaOf<Half>);
  ExpectLanes("v_frexp_exp_i16_f16", [](Half a) { return static_cast<int16_t>(ExponentOf(a)); });
  ExpectLanes("v_ldexp_f16", [](Half a, int16_t exponent) { return Scaled(a, exponent); });
}

TEST(ValuFloat16, PacksTwoHalves) {
  ExpectLanes("v_pack_b32_f16",
              [](uint16_t a, uint16_t b) { return uint32_t{a} | uint32_t{b} << 16; });
  ExpectLanes("v_pack_b32_f16_from_high",
              [](uint32_t a, uint32_t b) { return a >> 16 | (b & 0xffff0000); });
  ExpectLanes("v_pack_b32_f16_modified", [](uint16_t a, uint16_t b) {
    return (uint32_t{a} ^ 0x8000) | (uint32_t{b} & 0x7fff) << 16;
  });
}

}  // namespace
}  // namespace vgpu::valu::test::float16
