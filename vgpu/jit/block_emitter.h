// SPDX-License-Identifier: MIT
// block_emitter.h: makes LLVM IR of one block of decoded instructions.
//
// A block is a series of runs. A run's scalar instructions are emitted first, in their order. Its
// vector instructions are queued, and then emitted as the body of a loop over the chunks of lanes,
// where registers are SSA values. At the end of a run all state is back in the wave. Instructions
// that are not translated end the run and are executed by their handlers.
//
// In a run EXEC does not change, no scalar instruction reads what a vector instruction wrote, and
// nothing is visible to others. So a chunk whose result needs care (a NaN) is discarded. The
// handlers execute it instead, from the state at the beginning of the run.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <string>
#include <vector>

#include "vgpu/jit/vector_op.h"
#include "vgpu/wave/translator_abi.h"
#include "vgpu/wave/wave.h"

namespace vgpu::jit {

class BlockEmitter {
 public:
  BlockEmitter(llvm::Module& module, const BlockSource& source, ReplayFunction replay,
               const std::string& name);

  llvm::Function* Emit();

 private:
  using Value = llvm::Value;

  // --- scalar state, as SSA values; the dirty ones are not in the wave yet
  Value* Sgpr(uint32_t code);
  void SetSgpr(uint32_t code, Value* value);
  Value* Sgpr64(uint32_t code);
  void SetSgpr64(uint32_t code, Value* value);
  Value* Scc();
  void SetScc(Value* bit) { scc_ = bit, scc_dirty_ = true; }
  Value* Scalar32(const Instruction& in, uint32_t code);
  Value* Scalar64(const Instruction& in, uint32_t code, bool is_double);
  void Forget();

  // --- scalar instructions (scalar_emitter.cpp)
  bool IsTranslatedScalar(const Instruction& in) const;
  bool ReadsExec(const Instruction& in) const;
  bool WritesExec(const Instruction& in) const;
  void EmitScalar(const Instruction& in);
  void EmitSop2(const Instruction& in);
  void EmitSop1(const Instruction& in);
  void EmitSopc(const Instruction& in);
  void EmitSopk(const Instruction& in);
  void EmitSaveExec(const Instruction& in);
  bool EmitLogic(const Instruction& in, Value* a, Value* b);
  bool EmitShift(const Instruction& in);
  void SetLogic(const Instruction& in, Value* result);
  void SetWithOverflow(const Instruction& in, uint32_t id, Value* a, Value* b);
  void SetChosen(const Instruction& in, Value* first, Value* a, Value* b);

  // --- vector instructions
  bool QueueVector(uint32_t index);
  void QueueLdsRead(uint32_t index);
  void CaptureScalars(const Instruction& in, const VectorOp& op, QueuedOp* queued);
  void EmitChunkLoop(uint32_t end);
  void EmitReplay(uint32_t end, Value* chunk, Value* masks, uint32_t mask_count);
  void EmitReadFirstLane(const Instruction& in);
  bool WaitsForMask(uint32_t code) const;
  bool TouchesMask(const Instruction& in, const VectorOp* op) const;

  // --- control
  void EmitInstruction(uint32_t index);
  void EndRun(uint32_t end);  // of instructions before `end`
  void StoreScalars();
  void CallHandler(uint32_t index);
  void EmitBranch(uint32_t index);
  void ReturnPartial(uint32_t executed, bool stop);
  void ReturnOrRepeat(Value* again);
  void StorePc(uint64_t pc);

  Value* WaveField(size_t offset);
  Value* Const32(uint32_t value) { return b_.getInt32(value); }
  uint64_t PcAfter(uint32_t index) const { return pcs_[index + 1]; }

  llvm::Module& module_;
  const BlockSource& source_;
  ReplayFunction replay_;
  llvm::IRBuilder<> b_;
  llvm::Function* function_;
  Value* wave_ = nullptr;
  Value* context_ = nullptr;
  Value* budget_ = nullptr;
  Value* passes_ = nullptr;  // alloca
  llvm::BasicBlock* start_ = nullptr;
  std::vector<uint64_t> pcs_;
  std::array<Value*, kSgprSlots> sgpr_ = {};
  std::array<bool, kSgprSlots> sgpr_dirty_ = {};
  Value* scc_ = nullptr;
  bool scc_dirty_ = false;
  std::vector<QueuedOp> queue_;
  std::vector<uint8_t> masks_;   // first SGPRs of the masks that the queue writes
  uint32_t run_start_ = 0;       // the run's first instruction
  bool run_reads_exec_ = false;  // a scalar instruction of the run reads EXEC
  uint32_t last_handled_ = 0;    // index after the last instruction that a handler executes
  bool ended_ = false;           // the block's last branch was emitted
};

}  // namespace vgpu::jit
