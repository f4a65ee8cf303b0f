// SPDX-License-Identifier: MIT
// interpreter.h: the wave loop: fetch, decode once, execute.
//
// Threads    one per thread that runs waves; not shared
// Memory     decoded instructions are kept by code address and checked against the code words on
//            every fetch, because JIT compilers rewrite code in place
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/instruction.h"
#include "vgpu/wave/translation.h"
#include "vgpu/wave/wave.h"

namespace vgpu {

class Interpreter {
 public:
  Interpreter();

  // To be called before a workgroup's slice, so that translated code is compared anew.
  void BeginSlice();

  // Runs the wave until it ends, faults, waits at a barrier, yields, or has executed `budget`
  // instructions. Unless the wave is alone, Run also returns when the wave waits for memory. The
  // wave holds the reason. Returns the number of instructions executed.
  uint32_t Run(Wave& wave, ExecutionContext& context, uint32_t budget);
  // As Run, with translated code where there is any (translation.h). May execute more than `budget`
  // instructions, by less than a block.
  uint32_t RunTranslated(Wave& wave, ExecutionContext& context, uint32_t budget);

 private:
  struct CachedInstruction {
    uint64_t pc = ~uint64_t{0};
    Instruction instruction;
  };

  enum class Until : uint8_t { kBudget, kBranch };
  enum class Ended : uint8_t { kBudget, kBranch, kHandler };
  template <Until until>
  uint32_t RunUntil(Wave& wave, ExecutionContext& context, uint32_t budget, Ended* ended);
  const Instruction* Fetch(Wave& wave, const ExecutionContext& context);
  const Instruction* FetchAtEdge(Wave& wave, const ExecutionContext& context);
  bool MoveWindow(const ExecutionContext& context, uint64_t pc);
  bool WindowHolds(const ExecutionContext& context, uint64_t pc) const;
  const Instruction* DecodeInto(CachedInstruction* entry, uint64_t pc, uint32_t first,
                                uint32_t second);

  std::unique_ptr<CachedInstruction[]> cache_;
  std::unique_ptr<BlockTable> blocks_;  // made on first use
  // The mapping that code was last fetched from: window_size_ bytes at GPU address window_va_.
  const uint8_t* window_ = nullptr;
  uint64_t window_va_ = 0;
  uint64_t window_size_ = 0;
  int window_gpu_ = 0;
};

}  // namespace vgpu
