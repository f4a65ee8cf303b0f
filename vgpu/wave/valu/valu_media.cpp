// SPDX-License-Identifier: MIT
// Sums of absolute differences of bytes and words, and their relatives.
#include <cstdint>

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

[[gnu::always_inline]] inline U32 Byte(U32 value, int number) { return value >> 8 * number & 0xff; }
[[gnu::always_inline]] inline U32 Difference(U32 a, U32 b) { return a > b ? a - b : b - a; }

[[gnu::always_inline]] inline U32 ByteDifferences(U32 a, U32 b) {
  U32 sum = 0;
  for (int i = 0; i < 4; ++i) sum += Difference(Byte(a, i), Byte(b, i));
  return sum;
}
// Bytes that are 0 in the reference do not count.
[[gnu::always_inline]] inline U32 MaskedDifferences(U32 a, U32 reference) {
  U32 sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += Byte(reference, i) == 0 ? 0 : Difference(Byte(a, i), Byte(reference, i));
  }
  return sum;
}
[[gnu::always_inline]] inline U32 WordDifferences(U32 a, U32 b) {
  return Difference(a & 0xffff, b & 0xffff) + Difference(a >> 16, b >> 16);
}

// Four sums over windows of `a` that start one byte apart, each added to a word of `c`.
template <auto differences>
U64 FourSums(U64 a, U32 b, U64 c, Saturate saturate) {
  U64 result = 0;
  for (int i = 0; i < 4; ++i) {
    const U32 old = c >> 16 * i & 0xffff;
    U32 sum = old + differences(static_cast<U32>(a >> 8 * i), b);
    if (saturate.on && sum > 0xffff) sum = 0xffff;
    result |= U64{sum & 0xffff} << 16 * i;
  }
  return result;
}

// Rounds up where the byte of `c` is odd.
U32 AverageBytes(U32 a, U32 b, U32 c) {
  U32 result = 0;
  for (int i = 0; i < 4; ++i) {
    result |= (Byte(a, i) + Byte(b, i) + (Byte(c, i) & 1)) >> 1 << 8 * i;
  }
  return result;
}

// v_mqsad_u32_u8: the sums of FourSums, each added to a register of its own, into four registers.
bool FourMaskedSumsWide(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  const uint32_t accumulators = instruction.src[2];
  if (accumulators < kOperandVgprFirst) {
    return FailIllegal(wave, instruction, "the accumulators must be vector registers");
  }
  LaneRow64 bytes_scratch;
  LaneRow reference_scratch;
  const uint64_t* bytes = ReadRow64(wave, instruction, 0, SourceKind::kInt64, &bytes_scratch);
  const uint32_t* reference = ReadRow(wave, instruction, 1, SourceKind::kInt32, &reference_scratch);
  const Saturate saturate = {instruction.clamp};
  ForEachLane(wave.exec(), [&](int lane) {
    U32 sums[4];
    for (int i = 0; i < 4; ++i) {
      const U32 old = wave.vgpr[(accumulators - kOperandVgprFirst + i) % kVgprs][lane];
      const U32 window = static_cast<U32>(bytes[lane] >> 8 * i);
      sums[i] = AddUpTo(old, MaskedDifferences(window, reference[lane]), saturate);
    }
    for (int i = 0; i < 4; ++i) wave.vgpr[(instruction.dst + i) % kVgprs][lane] = sums[i];
  });
  return true;
}

constexpr OpcodeHandler kHandlers[] = {
    {isa::V_v_sad_u8,
     Map<[](U32 a, U32 b, U32 c, Saturate s) { return AddUpTo(c, ByteDifferences(a, b), s); }>},
    {isa::V_v_sad_hi_u8, Map<[](U32 a, U32 b, U32 c, Saturate s) {
       return AddUpTo(c, ByteDifferences(a, b) << 16, s);
     }>},
    {isa::V_v_sad_u16,
     Map<[](U32 a, U32 b, U32 c, Saturate s) { return AddUpTo(c, WordDifferences(a, b), s); }>},
    {isa::V_v_msad_u8,
     Map<[](U32 a, U32 b, U32 c, Saturate s) { return AddUpTo(c, MaskedDifferences(a, b), s); }>},
    {isa::V_v_qsad_pk_u16_u8, Map<FourSums<ByteDifferences>>},
    {isa::V_v_mqsad_pk_u16_u8, Map<FourSums<MaskedDifferences>>},
    {isa::V_v_mqsad_u32_u8, FourMaskedSumsWide},
    {isa::V_v_lerp_u8, Map<AverageBytes>},
};

}  // namespace

std::span<const OpcodeHandler> MediaHandlers() { return kHandlers; }

}  // namespace vgpu::valu
