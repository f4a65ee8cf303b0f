// SPDX-License-Identifier: MIT
// VOP3P: packed halves and words, mixed precision, and dot products.
//
// A packed instruction is its scalar formula twice: once on the halves that op_sel picks (negated
// as neg says), once on those that op_sel_hi picks (neg_hi). In the mixed precision instructions
// op_sel_hi says instead which sources are halves, and neg_hi takes the absolute value.
//
// Accuracy: fma_mix rounds as a float fma (mixlo and mixhi then once more to half); dot2_f32_f16
// adds exact products in double and rounds once.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "spec/isa/gfx90a_opcodes.h"
#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

// The instruction as seen by the formula on the low, or on the high halves.
Instruction HalfView(const Instruction& instruction, bool high) {
  Instruction view = instruction;
  view.op_sel = high ? instruction.op_sel_hi : instruction.op_sel;
  view.neg = high ? instruction.neg_hi : instruction.neg;
  view.abs = 0;
  return view;
}

// ---- Packed

template <auto formula>
bool Packed(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  using Halves = HandlersOf<formula>;
  if (!Halves::ClampIsValid(wave, instruction)) return false;
  const uint64_t mask = wave.exec();
  LaneRow low;
  LaneRow high;
  Halves::template Finished<LaneSet::kAll>(wave, HalfView(instruction, false), mask, &low, nullptr);
  Halves::template Finished<LaneSet::kAll>(wave, HalfView(instruction, true), mask, &high, nullptr);
  for (int lane = 0; lane < kLanes; ++lane) low.lane[lane] |= high.lane[lane] << 16;
  StoreLanes(wave, instruction.dst, low.lane, mask);
  return true;
}

// ---- Mixed precision

// Source `source` as floats.
void ReadMixed(const Wave& wave, const Instruction& instruction, int source, LaneRow* out) {
  Instruction view = instruction;
  view.abs = instruction.neg_hi;
  const bool is_half = instruction.op_sel_hi >> source & 1;
  LaneRow scratch;
  if (is_half) {
    const uint32_t* row = ReadRow(wave, view, source, SourceKind::kHalf, &scratch);
    for (int lane = 0; lane < kLanes; ++lane) {
      const Half value = FromBits<Half>(static_cast<U16>(row[lane]));
      out->lane[lane] = ToBits(static_cast<float>(value));
    }
    return;
  }
  const uint32_t* row = ReadRow(wave, view, source, SourceKind::kFloat, &scratch);
  std::copy_n(row, kLanes, out->lane);
}

void ComputeMixed(const Wave& wave, const Instruction& instruction, LaneRow* out) {
  LaneRow sources[3];
  for (int i = 0; i < 3; ++i) ReadMixed(wave, instruction, i, &sources[i]);
  using Fma = HandlersOf<[](float a, float b, float c) { return std::fma(a, b, c); }>;
  Fma::Loop<LaneSet::kAll>(wave.exec(), out, nullptr, sources[0].lane, sources[1].lane,
                           sources[2].lane);
}

bool FmaMix(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  const ScopedRounding rounding(wave.mode, true);
  LaneRow out;
  ComputeMixed(wave, instruction, &out);
  if (NeedsFinish<float>(wave, instruction)) FinishRow<float>(wave, instruction, &out);
  StoreLanes(wave, instruction.dst, out.lane, wave.exec());
  return true;
}

enum class WordOf : uint8_t { kLow, kHigh };

// Writes one half of the destination and preserves the other.
template <WordOf word>
bool FmaMixHalf(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  constexpr uint8_t kSelectHigh = 8;
  LaneRow out;
  {
    const ScopedRounding rounding(wave.mode, true);
    ComputeMixed(wave, instruction, &out);
  }
  {
    const ScopedRounding rounding(wave.mode, false);
    for (uint32_t& lane : out.lane) lane = ToBits(ToHalf(FromBits<float>(lane)));
  }
  if (NeedsFinish<Half>(wave, instruction)) FinishRow<Half>(wave, instruction, &out);
  Instruction view = instruction;
  view.op_sel = word == WordOf::kHigh ? kSelectHigh : 0;
  StoreHalfRow(wave, view, out, wave.exec());
  return true;
}

// ---- Dot products

[[gnu::always_inline]] inline float DotHalves(Half a0, Half b0, Half a1, Half b1, float c) {
  const double low = static_cast<double>(a0) * static_cast<double>(b0);
  const double high = static_cast<double>(a1) * static_cast<double>(b1);
  return static_cast<float>(low + high + static_cast<double>(c));
}
template <class Word, class Sum>
[[gnu::always_inline]] inline Sum DotWords(Word a0, Word b0, Word a1, Word b1, Sum c,
                                           Saturate saturate) {
  return Narrow<Sum>(I64{a0} * b0 + I64{a1} * b1 + c, saturate);
}

// Dot products of two halves or words: op_sel and op_sel_hi pick them, neg and neg_hi negate.
template <auto formula, class Element, class Sum>
bool Dot2(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  constexpr SourceKind kKind = kKindOf<Element>;
  const Instruction low = HalfView(instruction, false);
  const Instruction high = HalfView(instruction, true);
  LaneRow scratch[5];
  LaneRow out;
  const uint32_t* a0 = ReadRow(wave, low, 0, kKind, &scratch[0]);
  const uint32_t* b0 = ReadRow(wave, low, 1, kKind, &scratch[1]);
  const uint32_t* a1 = ReadRow(wave, high, 0, kKind, &scratch[2]);
  const uint32_t* b1 = ReadRow(wave, high, 1, kKind, &scratch[3]);
  const uint32_t* c = ReadRow(wave, low, 2, kKindOf<Sum>, &scratch[4]);
  if constexpr (kIsFloat<Sum>) {
    const ScopedRounding rounding(wave.mode, true);
    HandlersOf<formula>::template Loop<LaneSet::kAll>(wave.exec(), &out, nullptr, a0, b0, a1, b1,
                                                      c);
    if (NeedsFinish<Sum>(wave, instruction)) FinishRow<Sum>(wave, instruction, &out);
  } else {
    const Saturate saturate = {instruction.clamp};
    HandlersOf<formula>::template Loop<LaneSet::kAll>(wave.exec(), &out, nullptr, a0, b0, a1, b1, c,
                                                      &saturate);
  }
  StoreLanes(wave, instruction.dst, out.lane, WriteMask(wave, instruction));
  return true;
}

// Element `number` of a register of elements of `bits` bits, signed if Sum is signed.
template <class Sum, int bits>
[[gnu::always_inline]] inline I64 Element(U32 value, int number) {
  return static_cast<Sum>(value << (32 - bits * (number + 1))) >> (32 - bits);
}
template <class Sum, int bits>
[[gnu::always_inline]] inline Sum DotElements(U32 a, U32 b, Sum c, Saturate saturate) {
  I64 sum = c;
  for (int i = 0; i < 32 / bits; ++i) sum += Element<Sum, bits>(a, i) * Element<Sum, bits>(b, i);
  return Narrow<Sum>(sum, saturate);
}

// ---- VOP2 (gfx90a): the products of both elements are added to the destination.

bool DotHalvesAccumulate(Wave& wave, const Instruction& instruction, ExecutionContext& context) {
  if (!ControlsAreValid(wave, instruction)) return false;
  if ((instruction.neg | instruction.abs) != 0) {
    return FailIllegal(wave, instruction, "modifiers of an accumulating dot product");
  }
  Instruction view = instruction;
  view.src[2] = kOperandVgprFirst + instruction.dst;
  view.op_sel = 0;
  view.op_sel_hi = 3;
  view.neg_hi = 0;
  return Dot2<DotHalves, Half, float>(wave, view, context);
}

bool PackedFmac(Wave& wave, const Instruction& instruction, ExecutionContext& context) {
  Instruction view = instruction;
  view.src[2] = kOperandVgprFirst + instruction.dst;
  view.op_sel = 0;
  view.op_sel_hi = 7;
  return Packed<FmaHalf>(wave, view, context);
}

template <int bits>
[[gnu::always_inline]] inline I32 DotAccumulate(U32 a, U32 b, Destination<I32> c, Saturate s) {
  return DotElements<I32, bits>(a, b, c.value, s);
}

constexpr OpcodeHandler kAccumulating[] = {
    {::isa::gfx90a::V_v_dot2c_f32_f16, DotHalvesAccumulate},
    {::isa::gfx90a::V_v_dot2c_i32_i16, Map<DotAccumulate<16>>},
    {::isa::gfx90a::V_v_dot4c_i32_i8, Map<DotAccumulate<8>>},
    {::isa::gfx90a::V_v_dot8c_i32_i4, Map<DotAccumulate<4>>},
    {::isa::gfx90a::V_v_pk_fmac_f16, PackedFmac},
};

constexpr OpcodeHandler kHandlers[] = {
    {isa::VOP3P_v_pk_add_f16, Packed<[](Half a, Half b) { return ToHalf(float{a} + float{b}); }>},
    {isa::VOP3P_v_pk_mul_f16, Packed<[](Half a, Half b) { return ToHalf(float{a} * float{b}); }>},
    {isa::VOP3P_v_pk_fma_f16, Packed<FmaHalf>},
    {isa::VOP3P_v_pk_min_f16, Packed<Min<Half>>},
    {isa::VOP3P_v_pk_max_f16, Packed<Max<Half>>},
    {isa::VOP3P_v_pk_mad_i16,
     Packed<[](I16 a, I16 b, I16 c, Saturate s) { return Narrow<I16>(I32{a} * b + c, s); }>},
    {isa::VOP3P_v_pk_mad_u16,
     Packed<[](U16 a, U16 b, U16 c, Saturate s) { return Narrow<U16>(I64{a} * b + c, s); }>},
    {isa::VOP3P_v_pk_mul_lo_u16, Packed<[](U16 a, U16 b) { return static_cast<U16>(U32{a} * b); }>},
    {isa::VOP3P_v_pk_add_i16,
     Packed<[](I16 a, I16 b, Saturate s) { return Narrow<I16>(I32{a} + b, s); }>},
    {isa::VOP3P_v_pk_sub_i16,
     Packed<[](I16 a, I16 b, Saturate s) { return Narrow<I16>(I32{a} - b, s); }>},
    {isa::VOP3P_v_pk_add_u16,
     Packed<[](U16 a, U16 b, Saturate s) { return Narrow<U16>(I64{a} + b, s); }>},
    {isa::VOP3P_v_pk_sub_u16,
     Packed<[](U16 a, U16 b, Saturate s) { return Narrow<U16>(I64{a} - b, s); }>},
    {isa::VOP3P_v_pk_lshlrev_b16,
     Packed<[](U16 a, U16 b) { return static_cast<U16>(b << (a & 15)); }>},
    {isa::VOP3P_v_pk_lshrrev_b16,
     Packed<[](U16 a, U16 b) { return static_cast<U16>(b >> (a & 15)); }>},
    {isa::VOP3P_v_pk_ashrrev_i16,
     Packed<[](U16 a, I16 b) { return static_cast<I16>(b >> (a & 15)); }>},
    {isa::VOP3P_v_pk_min_i16, Packed<[](I16 a, I16 b) { return std::min(a, b); }>},
    {isa::VOP3P_v_pk_max_i16, Packed<[](I16 a, I16 b) { return std::max(a, b); }>},
    {isa::VOP3P_v_pk_min_u16, Packed<[](U16 a, U16 b) { return std::min(a, b); }>},
    {isa::VOP3P_v_pk_max_u16, Packed<[](U16 a, U16 b) { return std::max(a, b); }>},
    {isa::VOP3P_v_fma_mix_f32, FmaMix},
    {isa::VOP3P_v_fma_mixlo_f16, FmaMixHalf<WordOf::kLow>},
    {isa::VOP3P_v_fma_mixhi_f16, FmaMixHalf<WordOf::kHigh>},
    {isa::VOP3P_v_dot2_f32_f16, Dot2<DotHalves, Half, float>},
    {isa::VOP3P_v_dot2_i32_i16, Dot2<DotWords<I16, I32>, I16, I32>},
    {isa::VOP3P_v_dot2_u32_u16, Dot2<DotWords<U16, U32>, U16, U32>},
    {isa::VOP3P_v_dot4_i32_i8, Map<DotElements<I32, 8>>},
    {isa::VOP3P_v_dot4_u32_u8, Map<DotElements<U32, 8>>},
    {isa::VOP3P_v_dot8_i32_i4, Map<DotElements<I32, 4>>},
    {isa::VOP3P_v_dot8_u32_u4, Map<DotElements<U32, 4>>},
};

}  // namespace

std::span<const OpcodeHandler> PackedHandlers() { return kHandlers; }
std::span<const OpcodeHandler> AccumulatingHandlers() { return kAccumulating; }

}  // namespace vgpu::valu
