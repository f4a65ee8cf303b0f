// SPDX-License-Identifier: MIT
// workgroup.h: the waves and the local memory of one workgroup that is under way.
//
// Threads    one at a time; it may move between slices (the grid's mutex orders that)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/grid_launch.h"
#include "vgpu/wave/interpreter.h"
#include "vgpu/wave/wave.h"

namespace vgpu {

class Workgroup {
 public:
  enum class Progress : uint8_t { kFinished, kPaused, kFaulted };

  // Makes this object the workgroup with that number of the grid: sets registers, local memory and
  // program counters as the hardware does. `scratch_slot` is its part of the queue's scratch
  // memory.
  void Start(const GridLaunch& launch, uint64_t number, uint32_t scratch_slot);

  // Runs all waves in turn until the workgroup has finished, a wave has faulted, the slice is used
  // up, or every wave only waits for another one (s_sleep).
  Progress RunSlice(Interpreter& interpreter, ExecutionContext& context);

  uint32_t scratch_slot() const { return scratch_slot_; }
  // What the waves spent while hardware counters counted.
  const GroupCycles& cycles() const { return cycles_; }
  // Valid after kFaulted.
  const Fault& fault() const { return waves_[faulted_]->fault; }
  // "workgroup 1,0,0 wave 3"
  std::string FaultPlace() const;

 private:
  struct Round {
    uint64_t executed = 0;
    uint32_t yielded = 0;
    uint32_t ran = 0;
    bool faulted = false;
  };

  void StartWave(const GridLaunch& launch, uint32_t index, uint32_t items, const Dim3& size);
  void SetSgprs(const GridLaunch& launch, uint32_t index, Wave* wave) const;
  Round RunRound(Interpreter& interpreter, ExecutionContext& context);
  void OpenBarrier();
  void FlushCounts(ExecutionContext& context);
  void FlushCycles(ExecutionContext& context);
  uint32_t RunWave(Interpreter& interpreter, uint32_t index, ExecutionContext& context,
                   uint32_t turn);
  void AddIssueWaits(const ExecutionContext& context);

  std::vector<std::unique_ptr<Wave>> waves_;  // grows to the largest workgroup; wave_count_ in use
  std::vector<uint8_t> lds_;
  uint32_t lds_bytes_ = 0;
  uint32_t wave_count_ = 0;
  uint32_t live_ = 0;
  uint32_t at_barrier_ = 0;
  uint32_t faulted_ = 0;
  uint32_t scratch_slot_ = 0;
  uint32_t chiplet_ = 0;
  int engine_ = 0;  // shader engine of the chiplet
  Dim3 id_;
  GroupCycles cycles_;
  std::vector<WaveCycles> wave_cycles_;  // while counters count
};

}  // namespace vgpu
