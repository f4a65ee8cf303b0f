// SPDX-License-Identifier: MIT
// Single precision arithmetic.
//
// Accuracy: add, mul, fma, sqrt and rcp are correctly rounded; rsq, sin and cos are computed in
// double and rounded once; exp and log are the C library's, within 1 ulp. Denormals follow MODE,
// except in mad and mac, which flush always.
#include <cmath>

#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

// Rounds the product before the sum, unlike fma.
[[gnu::always_inline]] inline float MultiplyAdd(float a, float b, float c) {
  const float product = Flush(Flush(a) * Flush(b));
  return Flush(product + Flush(c));
}

// Zero times anything is zero.
[[gnu::always_inline]] inline float MultiplyLegacy(float a, float b) {
  return a == 0.0f || b == 0.0f ? 0.0f : a * b;
}

[[gnu::always_inline]] inline float MultiplyAddLegacy(float a, float b, float c) {
  const float product = Flush(MultiplyLegacy(Flush(a), Flush(b)));
  return Flush(product + Flush(c));
}

using Accumulator = Destination<float>;
using Constant = Literal<float>;

constexpr OpcodeHandler kHandlers[] = {
    {isa::V_v_add_f32, Map<[](float a, float b) { return a + b; }>},
    {isa::V_v_sub_f32, Map<[](float a, float b) { return a - b; }>},
    {isa::V_v_subrev_f32, Map<[](float a, float b) { return b - a; }>},
    {isa::V_v_mul_f32, Map<[](float a, float b) { return a * b; }>},
    {isa::V_v_mul_legacy_f32, Map<MultiplyLegacy>},
    {isa::V_v_fma_f32, Map<[](float a, float b, float c) { return std::fma(a, b, c); }>},
    {isa::V_v_fmac_f32,
     Map<[](float a, float b, Accumulator c) { return std::fma(a, b, c.value); }>},
    {isa::V_v_mad_f32, Map<MultiplyAdd>},
    {isa::V_v_mac_f32,
     Map<[](float a, float b, Accumulator c) { return MultiplyAdd(a, b, c.value); }>},
    {isa::V_v_madmk_f32,
     Map<[](float a, Constant k, float b) { return MultiplyAdd(a, k.value, b); }>},
    {isa::V_v_madak_f32,
     Map<[](float a, float b, Constant k) { return MultiplyAdd(a, b, k.value); }>},
    {isa::V_v_mad_legacy_f32, Map<MultiplyAddLegacy>},
    {isa::V_v_min_f32, Map<Min<float>>},
    {isa::V_v_max_f32, Map<Max<float>>},
    {isa::V_v_min3_f32, Map<Min3<float>>},
    {isa::V_v_max3_f32, Map<Max3<float>>},
    {isa::V_v_med3_f32, Map<Med3<float>>},
    {isa::V_v_exp_f32, MapActive<[](float a) { return std::exp2(a); }>},
    {isa::V_v_log_f32, MapActive<[](float a) { return std::log2(a); }>},
    {isa::V_v_rcp_f32, Map<[](float a) { return 1.0f / a; }>},
    {isa::V_v_rcp_iflag_f32, Map<[](float a) { return 1.0f / a; }>},
    {isa::V_v_rsq_f32,
     Map<[](float a) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); }>},
    {isa::V_v_sqrt_f32, Map<[](float a) { return std::sqrt(a); }>},
    {isa::V_v_sin_f32, MapActive<SinTurns<float>>},
    {isa::V_v_cos_f32, MapActive<CosTurns<float>>},
    {isa::V_v_floor_f32, Map<[](float a) { return std::floor(a); }>},
    {isa::V_v_ceil_f32, Map<[](float a) { return std::ceil(a); }>},
    {isa::V_v_trunc_f32, Map<[](float a) { return std::trunc(a); }>},
    {isa::V_v_rndne_f32, Map<[](float a) { return RoundEven(a); }>},
    {isa::V_v_fract_f32, Map<Fract<float>>},
    {isa::V_v_frexp_mant_f32, MapActive<FrexpMantissa<float>>},
    {isa::V_v_frexp_exp_i32_f32, MapActive<FrexpExponent<float>>},
    {isa::V_v_ldexp_f32,
     MapActive<[](float a, int32_t exponent) { return std::ldexp(a, exponent); }>},
};

}  // namespace

std::span<const OpcodeHandler> Float32Handlers() { return kHandlers; }

}  // namespace vgpu::valu
