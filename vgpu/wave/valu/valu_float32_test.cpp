// SPDX-License-Identifier: MIT
#include "vgpu/wave/valu/valu_test_floats.h"

namespace vgpu::valu::test {
namespace {

constexpr float kPi = 3.14159274101257324f;
const Options kAccumulates = {.registers = {2, 4, kResultRegister}};

float MultiplyLegacy(float a, float b) { return a == 0 || b == 0 ? 0.0f : Product(a, b); }

TEST(ValuFloat32, AddsSubtractsAndMultiplies) {
  ExpectLanes("v_add_f32", Sum<float>);
  ExpectLanes("v_sub_f32", Difference<float>);
  ExpectLanes("v_subrev_f32", [](float a, float b) { return Difference(b, a); });
  ExpectLanes("v_mul_f32", Product<float>);
  ExpectLanes("v_mul_legacy_f32", MultiplyLegacy);
}

TEST(ValuFloat32, FmaRoundsOnce) {
  ExpectLanes("v_fma_f32", FusedMultiplyAdd<float>);
  ExpectLanes("v_fmac_f32", FusedMultiplyAdd<float>, kAccumulates);
}

TEST(ValuFloat32, MadRoundsTheProductAndFlushesDenormals) {
  ExpectLanes("v_mad_f32", SeparateMultiplyAdd<float>);
  ExpectLanes("v_mac_f32", SeparateMultiplyAdd<float>, kAccumulates);
  ExpectLanes("v_madmk_f32", [](float a, float b) { return SeparateMultiplyAdd(a, kPi, b); });
  ExpectLanes("v_madak_f32", [](float a, float b) { return SeparateMultiplyAdd(a, b, kPi); });
  ExpectLanes("v_mad_legacy_f32", [](float a, float b, float c) {
    const float product = MultiplyLegacy(FlushToZero(a), FlushToZero(b));
    return FlushToZero(Sum(FlushToZero(product), FlushToZero(c)));
  });
}

TEST(ValuFloat32, FindsMinimumMaximumAndMedian) {
  ExpectLanes("v_min_f32", Lesser<float>);
  ExpectLanes("v_max_f32", Greater<float>);
  ExpectLanes("v_min3_f32", LeastOf3<float>);
  ExpectLanes("v_max3_f32", GreatestOf3<float>);
  ExpectLanes("v_med3_f32", MiddleOf3<float>);
}

TEST(ValuFloat32, RootsAndReciprocalsAreCorrectlyRounded) {
  ExpectLanes("v_rcp_f32", [](float a) { return static_cast<float>(1.0 / a); });
  ExpectLanes("v_rcp_iflag_f32", [](float a) { return static_cast<float>(1.0 / a); });
  ExpectLanes("v_sqrt_f32", [](float a) { return static_cast<float>(std::sqrt(double{a})); });
  ExpectLanes("v_rsq_f32", [](float a) {
    return static_cast<float>(1.0L / std::sqrt(static_cast<long double>(a)));
  });
}

TEST(ValuFloat32, TranscendentalFunctionsAreWithinOneUlp) {
  const Options near = {.ulps = 1};
  ExpectLanes(
      "v_exp_f32", [](float a) { return static_cast<float>(std::exp2(double{a})); }, near);
  ExpectLanes(
      "v_log_f32", [](float a) { return static_cast<float>(std::log2(double{a})); }, near);
  ExpectLanes(
      "v_sin_f32", [](float a) { return static_cast<float>(SinOfTurns(a)); }, near);
  ExpectLanes(
      "v_cos_f32", [](float a) { return static_cast<float>(CosOfTurns(a)); }, near);
}

TEST(ValuFloat32, RoundsToIntegralValues) {
  ExpectLanes("v_floor_f32", [](float a) { return static_cast<float>(std::floor(double{a})); });
  ExpectLanes("v_ceil_f32", [](float a) { return static_cast<float>(std::ceil(double{a})); });
  ExpectLanes("v_trunc_f32", [](float a) { return static_cast<float>(std::trunc(double{a})); });
  ExpectLanes("v_rndne_f32", [](float a) { return static_cast<float>(std::nearbyint(double{a})); });
  ExpectLanes("v_fract_f32", FractionOf<float>);
}

TEST(ValuFloat32, TakesApartAndScales) {
  ExpectLanes("v_frexp_mant_f32", MantissaOf<float>);
  ExpectLanes("v_frexp_exp_i32_f32", ExponentOf<float>);
  ExpectLanes("v_ldexp_f32", Scaled<float>);
}

}  // namespace
}  // namespace vgpu::valu::test
