// SPDX-License-Identifier: MIT
// Half precision arithmetic. Sources are widened to float (fma: to double), and the result is
// rounded once to half; for add, mul, rcp, sqrt and fma that is the correctly rounded result.
//
// The high half of the destination becomes 0, except for the instructions that are new in gfx9:
// these have op_sel, write the half that it names and preserve the other (HalfRegister).
#include <algorithm>
#include <cmath>

#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

// Rounds the product before the sum, and flushes denormals whatever MODE says.
[[gnu::always_inline]] inline Half MultiplyAdd(Half a, Half b, Half c) {
  const Half product = Flush(ToHalf(float{Flush(a)} * float{Flush(b)}));
  return Flush(ToHalf(float{product} + float{Flush(c)}));
}

Half Ldexp(Half value, int16_t exponent) {
  const int bounded = std::clamp<int>(exponent, -60, 60);
  return ToHalf(std::ldexp(static_cast<float>(value), bounded));
}

Half ReciprocalSquareRoot(Half value) {
  return ToHalf(1.0 / std::sqrt(static_cast<double>(value)));
}

using Accumulator = Destination<Half>;
using Constant = Literal<Half>;
using High = HalfRegister<Half>;
using HighRaw = HalfRegister<Raw<Half>>;

constexpr OpcodeHandler kHandlers[] = {
    {isa::V_v_add_f16, Map<[](Half a, Half b) { return ToHalf(float{a} + float{b}); }>},
    {isa::V_v_sub_f16, Map<[](Half a, Half b) { return ToHalf(float{a} - float{b}); }>},
    {isa::V_v_subrev_f16, Map<[](Half a, Half b) { return ToHalf(float{b} - float{a}); }>},
    {isa::V_v_mul_f16, Map<[](Half a, Half b) { return ToHalf(float{a} * float{b}); }>},
    {isa::V_v_mac_f16,
     Map<[](Half a, Half b, Accumulator c) { return MultiplyAdd(a, b, c.value); }>},
    {isa::V_v_madmk_f16,
     Map<[](Half a, Constant k, Half b) { return MultiplyAdd(a, k.value, b); }>},
    {isa::V_v_madak_f16,
     Map<[](Half a, Half b, Constant k) { return MultiplyAdd(a, b, k.value); }>},
    {isa::V_v_mad_legacy_f16, Map<MultiplyAdd>},
    {isa::V_v_mad_f16, Map<[](Half a, Half b, Half c) { return High{MultiplyAdd(a, b, c)}; }>},
    {isa::V_v_fma_legacy_f16, Map<FmaHalf>},
    {isa::V_v_fma_f16, Map<[](Half a, Half b, Half c) { return High{FmaHalf(a, b, c)}; }>},
    {isa::V_v_min_f16, Map<Min<Half>>},
    {isa::V_v_max_f16, Map<Max<Half>>},
    {isa::V_v_min3_f16, Map<[](Half a, Half b, Half c) { return HighRaw{Min3(a, b, c)}; }>},
    {isa::V_v_max3_f16, Map<[](Half a, Half b, Half c) { return HighRaw{Max3(a, b, c)}; }>},
    {isa::V_v_med3_f16, Map<[](Half a, Half b, Half c) { return HighRaw{Med3(a, b, c)}; }>},
    {isa::V_v_exp_f16, MapActive<[](Half a) { return ToHalf(std::exp2(float{a})); }>},
    {isa::V_v_log_f16, MapActive<[](Half a) { return ToHalf(std::log2(float{a})); }>},
    {isa::V_v_rcp_f16, Map<[](Half a) { return ToHalf(1.0f / float{a}); }>},
    {isa::V_v_rsq_f16, Map<ReciprocalSquareRoot>},
    {isa::V_v_sqrt_f16, Map<[](Half a) { return ToHalf(std::sqrt(float{a})); }>},
    {isa::V_v_sin_f16, MapActive<SinTurns<Half>>},
    {isa::V_v_cos_f16, MapActive<CosTurns<Half>>},
    {isa::V_v_floor_f16, Map<[](Half a) { return ToHalf(std::floor(float{a})); }>},
    {isa::V_v_ceil_f16, Map<[](Half a) { return ToHalf(std::ceil(float{a})); }>},
    {isa::V_v_trunc_f16, Map<[](Half a) { return ToHalf(std::trunc(float{a})); }>},
    {isa::V_v_rndne_f16, Map<[](Half a) { return ToHalf(RoundEven(float{a})); }>},
    {isa::V_v_fract_f16, Map<Fract<Half>>},
    {isa::V_v_frexp_mant_f16, MapActive<FrexpMantissa<Half>>},
    {isa::V_v_frexp_exp_i16_f16,
     MapActive<[](Half a) { return static_cast<int16_t>(FrexpExponent(a)); }>},
    {isa::V_v_ldexp_f16, MapActive<Ldexp>},
    {isa::V_v_pack_b32_f16,
     Map<[](Raw<Half> a, Raw<Half> b) { return uint32_t{a.bits} | uint32_t{b.bits} << 16; }>},
};

}  // namespace

std::span<const OpcodeHandler> Float16Handlers() { return kHandlers; }

}  // namespace vgpu::valu
