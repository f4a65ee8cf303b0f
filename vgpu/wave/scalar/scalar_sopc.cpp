// SPDX-License-Identifier: MIT
// SOPC: scalar compares, which set SCC, and the start of VGPR index mode.
#include "vgpu/wave/bit_operations.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/operands.h"

namespace vgpu {
namespace {

template <auto kRelation, class T>
bool Compare(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.scc = kRelation(ReadSource<T>(wave, in, 0), ReadSource<T>(wave, in, 1));
  return true;
}

template <class T, bool kExpected>
bool TestBit(Wave& wave, const Instruction& in, ExecutionContext&) {
  const T value = ReadSource<T>(wave, in, 0);
  const bool bit = value >> (ReadSource<uint32_t>(wave, in, 1) & (kBitsOf<T> - 1)) & 1;
  wave.scc = bit == kExpected;
  return true;
}

// The second source field is an immediate here: its bits say which operands are relative.
bool GprIndexOn(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t index = ReadSource<uint32_t>(wave, in, 0) & 0xff;
  const uint32_t enables = in.src[1] & 0xf;
  wave.sgpr[kOperandM0] = (wave.m0() & ~0xf0ffu) | enables << 12 | index;
  wave.mode |= kModeGprIndex;
  return true;
}

constexpr OpcodeHandler kEntries[] = {
    {isa::SOPC_s_cmp_eq_i32, Compare<kEqual, uint32_t>},
    {isa::SOPC_s_cmp_lg_i32, Compare<kNotEqual, uint32_t>},
    {isa::SOPC_s_cmp_gt_i32, Compare<kGreater, int32_t>},
    {isa::SOPC_s_cmp_ge_i32, Compare<kGreaterEqual, int32_t>},
    {isa::SOPC_s_cmp_lt_i32, Compare<kLess, int32_t>},
    {isa::SOPC_s_cmp_le_i32, Compare<kLessEqual, int32_t>},
    {isa::SOPC_s_cmp_eq_u32, Compare<kEqual, uint32_t>},
    {isa::SOPC_s_cmp_lg_u32, Compare<kNotEqual, uint32_t>},
    {isa::SOPC_s_cmp_gt_u32, Compare<kGreater, uint32_t>},
    {isa::SOPC_s_cmp_ge_u32, Compare<kGreaterEqual, uint32_t>},
    {isa::SOPC_s_cmp_lt_u32, Compare<kLess, uint32_t>},
    {isa::SOPC_s_cmp_le_u32, Compare<kLessEqual, uint32_t>},
    {isa::SOPC_s_bitcmp0_b32, TestBit<uint32_t, false>},
    {isa::SOPC_s_bitcmp1_b32, TestBit<uint32_t, true>},
    {isa::SOPC_s_bitcmp0_b64, TestBit<uint64_t, false>},
    {isa::SOPC_s_bitcmp1_b64, TestBit<uint64_t, true>},
    {isa::SOPC_s_set_gpr_idx_on, GprIndexOn},
    {isa::SOPC_s_cmp_eq_u64, Compare<kEqual, uint64_t>},
    {isa::SOPC_s_cmp_lg_u64, Compare<kNotEqual, uint64_t>},
};

constexpr auto kTable = MakeTable<128>(kEntries);

}  // namespace

Handler FindSopc(uint16_t opcode) { return Find(kTable, opcode); }

}  // namespace vgpu
