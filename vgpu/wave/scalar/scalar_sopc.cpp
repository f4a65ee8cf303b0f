// SPDX-License-Identifier: MIT
// SOPC: scalar compares, which set SCC, and the start of VGPR index mode.
#include "vgpu/wave/bit_operations.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/opcodes.h"
#include "vgpu/wave/operands.h"

namespace vgpu {
namespace {

template <auto kRelation>
bool Compare32(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t a = ReadScalar32(wave, in, in.src[0]);
  const uint32_t b = ReadScalar32(wave, in, in.src[1]);
  wave.scc = kRelation(a, b);
  return true;
}

template <auto kRelation>
bool Compare64(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint64_t a = ReadScalar64(wave, in, in.src[0]);
  const uint64_t b = ReadScalar64(wave, in, in.src[1]);
  wave.scc = kRelation(a, b);
  return true;
}

template <bool kExpected>
bool TestBit32(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t value = ReadScalar32(wave, in, in.src[0]);
  const bool bit = value >> (ReadScalar32(wave, in, in.src[1]) & 31) & 1;
  wave.scc = bit == kExpected;
  return true;
}

template <bool kExpected>
bool TestBit64(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint64_t value = ReadScalar64(wave, in, in.src[0]);
  const bool bit = value >> (ReadScalar32(wave, in, in.src[1]) & 63) & 1;
  wave.scc = bit == kExpected;
  return true;
}

// The second source field is an immediate here: which operands are relative.
bool GprIndexOn(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t index = ReadScalar32(wave, in, in.src[0]) & 0xff;
  const uint32_t enables = in.src[1] & 0xf;
  wave.sgpr[kOperandM0] = (wave.m0() & ~0xf0ffu) | enables << 12 | index;
  wave.mode |= kModeGprIndex;
  return true;
}

constexpr auto kEqual = [](auto a, auto b) { return a == b; };
constexpr auto kNotEqual = [](auto a, auto b) { return a != b; };
constexpr auto kGreater = [](auto a, auto b) { return a > b; };
constexpr auto kGreaterEqual = [](auto a, auto b) { return a >= b; };
constexpr auto kLess = [](auto a, auto b) { return a < b; };
constexpr auto kLessEqual = [](auto a, auto b) { return a <= b; };
constexpr auto kGreaterSigned = [](uint32_t a, uint32_t b) { return Signed(a) > Signed(b); };
constexpr auto kGreaterEqualSigned = [](uint32_t a, uint32_t b) { return Signed(a) >= Signed(b); };
constexpr auto kLessSigned = [](uint32_t a, uint32_t b) { return Signed(a) < Signed(b); };
constexpr auto kLessEqualSigned = [](uint32_t a, uint32_t b) { return Signed(a) <= Signed(b); };

constexpr OpcodeHandler kEntries[] = {
    {isa::SOPC_s_cmp_eq_i32, Compare32<kEqual>},
    {isa::SOPC_s_cmp_lg_i32, Compare32<kNotEqual>},
    {isa::SOPC_s_cmp_gt_i32, Compare32<kGreaterSigned>},
    {isa::SOPC_s_cmp_ge_i32, Compare32<kGreaterEqualSigned>},
    {isa::SOPC_s_cmp_lt_i32, Compare32<kLessSigned>},
    {isa::SOPC_s_cmp_le_i32, Compare32<kLessEqualSigned>},
    {isa::SOPC_s_cmp_eq_u32, Compare32<kEqual>},
    {isa::SOPC_s_cmp_lg_u32, Compare32<kNotEqual>},
    {isa::SOPC_s_cmp_gt_u32, Compare32<kGreater>},
    {isa::SOPC_s_cmp_ge_u32, Compare32<kGreaterEqual>},
    {isa::SOPC_s_cmp_lt_u32, Compare32<kLess>},
    {isa::SOPC_s_cmp_le_u32, Compare32<kLessEqual>},
    {isa::SOPC_s_bitcmp0_b32, TestBit32<false>},
    {isa::SOPC_s_bitcmp1_b32, TestBit32<true>},
    {isa::SOPC_s_bitcmp0_b64, TestBit64<false>},
    {isa::SOPC_s_bitcmp1_b64, TestBit64<true>},
    {isa::SOPC_s_set_gpr_idx_on, GprIndexOn},
    {isa::SOPC_s_cmp_eq_u64, Compare64<kEqual>},
    {isa::SOPC_s_cmp_lg_u64, Compare64<kNotEqual>},
};

constexpr auto kTable = MakeTable<128>(kEntries);

}  // namespace

Handler FindSopc(uint16_t opcode) { return Find(kTable, opcode); }

}  // namespace vgpu
