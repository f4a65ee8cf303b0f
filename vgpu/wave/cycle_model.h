// SPDX-License-Identifier: MIT
// cycle_model.h: how many clock cycles instructions take, by stated rules, and what conflicts in
// local memory cost. docs/reference/vgpu.md has the rules.
//
// CountCycles is called for each instruction, before it is executed, while hardware counters count,
// and only then. The same program gives the same numbers in every run.
//
// Threads    the one that runs the wave
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/counters/hw_counters.h"
#include "vgpu/wave/instruction.h"

namespace vgpu {

struct ExecutionContext;
struct Wave;

// What the waves that ran since the last flush have spent. A quad is four clock cycles, the time in
// which a SIMD of 16 lanes executes one vector instruction of a wave.
struct CycleCounts {
  // Quads in which instructions of each kind are executed.
  uint64_t vector = 0;
  uint64_t scalar = 0;
  uint64_t scalar_memory = 0;
  uint64_t lds = 0;
  uint64_t buffer = 0;
  uint64_t flat = 0;          // flat_*, global_*, scratch_*: one encoding
  uint64_t vector_read = 0;   // the part of buffer and flat that reads
  uint64_t vector_write = 0;  // the part of buffer and flat that writes
  uint64_t other = 0;         // branches and messages
  // Quads in which s_waitcnt waits.
  uint64_t wait = 0;
  uint64_t active_lanes = 0;  // enabled lanes of vector instructions, times their quads
  // Clock cycles of local memory.
  uint64_t lds_active = 0;
  uint64_t bank_conflicts = 0;
  uint64_t address_conflicts = 0;
  uint64_t atomic_returns = 0;
  uint64_t flat_lds_only = 0;  // flat instructions all of whose lanes go to local memory
  uint64_t lds_accesses = 0;   // instructions
  uint64_t generic = 0;        // flat_* instructions
  uint64_t gds = 0;            // quads
  uint64_t matrix = 0;         // quads of vector instructions that are matrix instructions
  uint64_t matrix_ops[6] =
      {};  // multiplications and additions, in units of 512: I8, F16, BF16, F32, F64, F8
  uint64_t scalar_reads[5] = {};          // loads of 1, 2, 4, 8 and 16 dwords
  uint64_t address_unit[kTaEvents] = {};  // instructions, by event

  uint64_t executed() const {
    return vector + scalar + scalar_memory + lds + buffer + flat + other + gds;
  }
};

// Quads in which instructions are outstanding: each one for as long as s_waitcnt would wait for it.
struct Levels {
  uint64_t vector_memory = 0;
  uint64_t scalar_memory = 0;
  uint64_t lds = 0;
};
Levels LevelsOf(const CycleCounts& cycles);

// Quads in which the address unit works. In a cycle it takes four lanes, or 16 lanes of buffer_*.
uint64_t AddressQuads(const uint64_t (&instructions)[kTaEvents]);

void CountCycles(Wave& wave, const Instruction& in, ExecutionContext& context);

// What a workgroup that has ended adds to the time of its compute unit.
struct GroupCycles {
  int engine = 0;
  uint32_t compute_unit = 0;  // of the engine
  uint32_t waves = 0;
  uint64_t executed = 0;  // quads of all waves
  uint64_t wait = 0;
  uint64_t memory = 0;  // quads of vector memory instructions
  uint32_t chiplet = 0;
};

// What one wave of a workgroup has spent, in quads.
struct WaveCycles {
  uint64_t executed = 0;
  uint64_t wait = 0;
  uint64_t lds = 0;  // the part of `executed` in local memory
};

// Quads that the waves of a workgroup wait for each other.
struct IssueWaits {
  uint64_t any = 0;
  uint64_t lds = 0;
};
// Waves of one SIMD take turns, and all waves share local memory. A wave waits as long as all of
// them execute, less the time that the wave itself executes or waits in s_waitcnt.
IssueWaits WaitsForIssue(const std::vector<WaveCycles>& waves, uint32_t simds);

// How long the compute units, the shader engines and the chip are busy with one dispatch.
class BusyCycles {
 public:
  void Add(const GroupCycles& group);
  // To be called when all workgroups have ended. Adds the busy cycles of `chiplet` to the counters.
  void Finish(HwCounters* counters, uint32_t chiplet = 0) const;

 private:
  struct ComputeUnit {
    uint64_t executed = 0;
    uint64_t wave = 0;
    uint64_t memory = 0;
    uint64_t longest = 0;  // quads of a wave of the slowest workgroup
  };
  std::vector<ComputeUnit> units_;  // by chiplet, engine, number; empty: nothing was counted
};

}  // namespace vgpu
