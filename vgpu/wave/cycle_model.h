// SPDX-License-Identifier: MIT
// cycle_model.h: how many clock cycles instructions take, by stated rules, and what conflicts in
// local memory cost. docs/reference/vgpu.md has the rules.
//
// Called for each instruction, before it is executed, while hardware counters count; never
// otherwise. The same program gives the same numbers in every run.
//
// Threads    the wave's and the context's
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/wave/instruction.h"

namespace vgpu {

struct ExecutionContext;
struct HwCounters;
struct Wave;

// Of the waves that ran since the last flush. A quad is four clock cycles, the time in which a SIMD
// of 16 lanes executes one vector instruction of a wave.
struct CycleCounts {
  // Quads in which instructions of each kind are executed.
  uint64_t vector = 0;
  uint64_t scalar = 0;
  uint64_t scalar_memory = 0;
  uint64_t lds = 0;
  uint64_t vector_read = 0;
  uint64_t vector_write = 0;
  uint64_t flat = 0;
  uint64_t other = 0;
  // Quads in which s_waitcnt waits.
  uint64_t wait = 0;
  uint64_t active_lanes = 0;  // of vector instructions, times their quads
  // Clock cycles of local memory.
  uint64_t lds_active = 0;
  uint64_t bank_conflicts = 0;
  uint64_t address_conflicts = 0;
  uint64_t atomic_returns = 0;
  uint64_t flat_lds_only = 0;  // flat instructions all of whose lanes go to local memory

  uint64_t executed() const {
    return vector + scalar + scalar_memory + lds + vector_read + vector_write + flat + other;
  }
};

void CountCycles(Wave& wave, const Instruction& in, ExecutionContext& context);

// The share of a workgroup that has ended in the time of its compute unit.
struct GroupCycles {
  int engine = 0;
  uint32_t compute_unit = 0;  // of the engine
  uint32_t waves = 0;
  uint64_t executed = 0;  // quads of all waves
  uint64_t wait = 0;
};

// How long the compute units, the shader engines and the chip are busy with one dispatch.
class BusyCycles {
 public:
  void Add(const GroupCycles& group);
  // All workgroups have ended.
  void Finish(HwCounters* counters) const;

 private:
  struct ComputeUnit {
    uint64_t executed = 0;
    uint64_t wave = 0;
    uint64_t longest = 0;  // quads of a wave of the slowest workgroup
  };
  std::vector<ComputeUnit> units_;  // by engine, then number; empty: nothing was counted
};

}  // namespace vgpu
