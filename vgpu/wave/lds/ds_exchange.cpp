// SPDX-License-Identifier: MIT
// DS: exchange between lanes. Registers of disabled lanes read as 0.
#include "vgpu/wave/bit_operations.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/wave.h"

namespace vgpu {
namespace {

constexpr int kHalf = 32;  // lanes that ds_swizzle exchanges among

// The offsets at which ds_swizzle_b32 changes its meaning.
constexpr uint32_t kFftMode = 0xe000;
constexpr uint32_t kRotateMode = 0xc000;
constexpr uint32_t kQuadMode = 0x8000;

uint32_t ReadIfEnabled(const Wave& wave, uint32_t number, int lane) {
  const bool enabled = wave.exec() >> lane & 1;
  return enabled ? wave.vgpr[number][lane] : 0;
}

void WriteEnabled(Wave& wave, uint32_t number, const uint32_t (&values)[kLanes]) {
  ForEachLane(wave.exec(), [&](int lane) { wave.vgpr[number][lane] = values[lane]; });
}

int LaneFromAddress(const Wave& wave, const Instruction& in, int lane) {
  const uint32_t address = wave.vgpr[in.vaddr][lane] + static_cast<uint32_t>(in.offset);
  return static_cast<int>(address >> 2 & (kLanes - 1));
}

// Every lane pulls from the lane its address names.
bool BackwardPermute(Wave& wave, const Instruction& in, ExecutionContext&) {
  uint32_t values[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    values[lane] = ReadIfEnabled(wave, in.vdata, LaneFromAddress(wave, in, lane));
  }
  WriteEnabled(wave, in.dst, values);
  return true;
}

// Every lane pushes to the lane that its address names. If several lanes push to one lane, the
// highest wins.
bool ForwardPermute(Wave& wave, const Instruction& in, ExecutionContext&) {
  uint32_t values[kLanes] = {};
  ForEachLane(wave.exec(), [&](int lane) {
    values[LaneFromAddress(wave, in, lane)] = wave.vgpr[in.vdata][lane];
  });
  WriteEnabled(wave, in.dst, values);
  return true;
}

int FftSource(int lane, uint32_t offset) {
  const uint32_t mask = offset & 31;
  if (mask == 31) return lane;
  const uint32_t reversed = ReverseBits(static_cast<uint32_t>(lane) & 31) >> 27;
  return static_cast<int>(reversed >> std::popcount(mask) | (lane & mask));
}

int RotateSource(int lane, uint32_t offset) {
  const int amount = static_cast<int>(offset >> 5 & 31);
  const int mask = static_cast<int>(offset & 31);
  const int rotated = offset >> 10 & 1 ? lane - amount : lane + amount;
  return (lane & mask) | (rotated & ~mask & 31);
}

int QuadSource(int lane, uint32_t offset) {
  return (lane & ~3) | static_cast<int>(offset >> (2 * (lane & 3)) & 3);
}

int BitSource(int lane, uint32_t offset) {
  const int and_mask = static_cast<int>(offset & 31);
  const int or_mask = static_cast<int>(offset >> 5 & 31);
  const int xor_mask = static_cast<int>(offset >> 10 & 31);
  return ((lane & and_mask) | or_mask) ^ xor_mask;
}

// The lane, within a half of 32 lanes, from which lane `lane` of that half reads.
int SwizzleSource(int lane, uint32_t offset) {
  if (offset >= kFftMode) return FftSource(lane, offset);
  if (offset >= kRotateMode) return RotateSource(lane, offset);
  if (offset >= kQuadMode) return QuadSource(lane, offset);
  return BitSource(lane, offset);
}

bool Swizzle(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t offset = static_cast<uint32_t>(in.offset);
  uint32_t values[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    const int half = lane & kHalf;
    values[lane] = ReadIfEnabled(wave, in.vaddr, half | SwizzleSource(lane & 31, offset));
  }
  WriteEnabled(wave, in.dst, values);
  return true;
}

constexpr OpcodeHandler kEntries[] = {
    {isa::DS_ds_swizzle_b32, Swizzle},
    {isa::DS_ds_permute_b32, ForwardPermute},
    {isa::DS_ds_bpermute_b32, BackwardPermute},
};

constexpr auto kTable = MakeTable<256>(kEntries);

}  // namespace

Handler FindDsExchange(uint16_t opcode) { return Find(kTable, opcode); }

}  // namespace vgpu
