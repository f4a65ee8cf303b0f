// SPDX-License-Identifier: MIT
// Moves: within a lane, between lanes, and between vector and scalar registers.
#include <utility>

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

constexpr uint32_t kLastScalarRegister = 127;

// The 32 bits of source 0 in one lane; EXEC does not matter.
uint32_t LaneOfSource(const Wave& wave, const Instruction& instruction, uint32_t lane) {
  const uint32_t code = instruction.src[0];
  if (code >= kOperandVgprFirst) return wave.vgpr[code - kOperandVgprFirst][lane];
  return ReadScalar32(wave, instruction, code);
}

uint32_t SelectedLane(const Wave& wave, const Instruction& instruction) {
  const uint32_t code = instruction.src[1];
  if (code >= kOperandVgprFirst) return wave.vgpr[code - kOperandVgprFirst][0] % kLanes;
  return ReadScalar32(wave, instruction, code) % kLanes;
}

bool ReadFirstLane(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  const uint64_t exec = wave.exec();
  const uint32_t lane = exec == 0 ? 0 : static_cast<uint32_t>(__builtin_ctzll(exec));
  const uint32_t value = LaneOfSource(wave, instruction, lane);
  wave.sgpr[instruction.dst & kLastScalarRegister] = value;
  return true;
}

bool ReadLane(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  const uint32_t lane = SelectedLane(wave, instruction);
  const uint32_t value = LaneOfSource(wave, instruction, lane);
  wave.sgpr[instruction.dst & kLastScalarRegister] = value;
  return true;
}

bool WriteLane(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  const uint32_t lane = SelectedLane(wave, instruction);
  wave.vgpr[instruction.dst][lane] = LaneOfSource(wave, instruction, 0);
  return true;
}

bool Swap(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  const uint32_t code = instruction.src[0];
  if (code < kOperandVgprFirst || instruction.is_sdwa || instruction.is_dpp) {
    return FailIllegal(wave, instruction, "v_swap needs two plain vector registers");
  }
  uint32_t* a = wave.vgpr[instruction.dst];
  uint32_t* b = wave.vgpr[code - kOperandVgprFirst];
  ForEachLane(wave.exec(), [&](int lane) { std::swap(a[lane], b[lane]); });
  return true;
}

// Has the modifiers of a float source, but moves any bits: nothing is flushed.
uint32_t ConditionalMove(Raw<float> a, Raw<float> b, LaneBit condition) {
  return condition.set ? b.bits : a.bits;
}

constexpr OpcodeHandler kHandlers[] = {
    {isa::V_v_nop, NoOperation},
    {isa::V_v_clrexcp, NoOperation},  // no exception is ever recorded
    {isa::V_v_mov_b32, Map<[](uint32_t a) { return a; }>},
    {isa::V_v_cndmask_b32, Map<ConditionalMove>},
    {isa::V_v_swap_b32, Swap},
    {isa::V_v_readfirstlane_b32, ReadFirstLane},
    {isa::V_v_readlane_b32, ReadLane},
    {isa::V_v_writelane_b32, WriteLane},
};

}  // namespace

std::span<const OpcodeHandler> LaneHandlers() { return kHandlers; }

}  // namespace vgpu::valu
