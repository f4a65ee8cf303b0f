// SPDX-License-Identifier: MIT
// Double precision arithmetic. Every result is correctly rounded except that of rsq (two
// roundings), also where the hardware's own result is only a first approximation (rcp, rsq, sqrt).
#include <cmath>

#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

// 2 / pi, binary digits 1 to 1216 after the point.
constexpr uint64_t kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};
constexpr uint32_t kTwoOverPiBits = 1201;  // the digits that the hardware knows
constexpr uint32_t kSegmentBits = 53;

// `count` digits of 2 / pi after the first `skip`, as an integer; digits past the end are 0.
uint64_t TwoOverPiDigits(uint32_t skip, uint32_t count) {
  uint64_t digits = 0;
  for (uint32_t i = skip; i < skip + count; ++i) {
    const bool digit = i < kTwoOverPiBits && (kTwoOverPi[i / 64] >> (63 - i % 64) & 1) != 0;
    digits = digits << 1 | (digit ? 1 : 0);
  }
  return digits;
}

// The segment of 2 / pi that matters for reducing an argument of this size.
double TrigPreop(Raw<double> argument, uint32_t segment) {
  constexpr uint32_t kFirstShifted = 1077;
  constexpr uint32_t kScaled = 1968;
  const uint32_t exponent = argument.bits >> FloatLayout<double>::kFraction & 0x7ff;
  uint32_t shift = (segment & 31) * kSegmentBits;
  if (exponent > kFirstShifted) shift += exponent - kFirstShifted;
  int scale = -static_cast<int>(kSegmentBits + shift);
  if (exponent >= kScaled) scale += 128;
  return std::ldexp(static_cast<double>(TwoOverPiDigits(shift, kSegmentBits)), scale);
}

constexpr OpcodeHandler kHandlers[] = {
    {isa::V_v_add_f64, Map<[](double a, double b) { return a + b; }>},
    {isa::V_v_mul_f64, Map<[](double a, double b) { return a * b; }>},
    {isa::V_v_fma_f64, Map<[](double a, double b, double c) { return std::fma(a, b, c); }>},
    {isa::V_v_min_f64, Map<Min<double>>},
    {isa::V_v_max_f64, Map<Max<double>>},
    {isa::V_v_rcp_f64, Map<[](double a) { return 1.0 / a; }>},
    {isa::V_v_rsq_f64, Map<[](double a) { return 1.0 / std::sqrt(a); }>},
    {isa::V_v_sqrt_f64, Map<[](double a) { return std::sqrt(a); }>},
    {isa::V_v_floor_f64, Map<[](double a) { return std::floor(a); }>},
    {isa::V_v_ceil_f64, Map<[](double a) { return std::ceil(a); }>},
    {isa::V_v_trunc_f64, Map<[](double a) { return std::trunc(a); }>},
    {isa::V_v_rndne_f64, Map<[](double a) { return RoundEven(a); }>},
    {isa::V_v_fract_f64, Map<Fract<double>>},
    {isa::V_v_frexp_mant_f64, MapActive<FrexpMantissa<double>>},
    {isa::V_v_frexp_exp_i32_f64, MapActive<FrexpExponent<double>>},
    {isa::V_v_ldexp_f64,
     MapActive<[](double a, int32_t exponent) { return std::ldexp(a, exponent); }>},
    {isa::V_v_trig_preop_f64, MapActive<TrigPreop>},
};

}  // namespace

std::span<const OpcodeHandler> Float64Handlers() { return kHandlers; }

}  // namespace vgpu::valu
