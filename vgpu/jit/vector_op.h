// SPDX-License-Identifier: MIT
// vector_op.h: the vector instructions that are translated, as formulas on chunks of lanes.
//
// Each has a signature of one letter for each parameter and one for the result, and a formula.
//   u  32 bits of an integer    U  64 bits    f  float    r  float taken as bits    d  double
//   o  the destination's old value            k  the literal    m  a mask: src[2]
// Results: u, U, f, d; r: a float that needs no check for NaN; m: a mask (compares); c: a value and
// a carry.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "vgpu/wave/instruction.h"
#include "vgpu/wave/translator_abi.h"

namespace vgpu::jit {

class ChunkEmitter;

struct Computed {
  llvm::Value* value = nullptr;
  llvm::Value* flag = nullptr;
};

struct VectorOp {
  const char* parameters = nullptr;
  char result = 0;
  Computed (*formula)(ChunkEmitter& e, llvm::Value* const* in) = nullptr;

  // A NaN among the parameters makes the result a NaN.
  bool SpreadsNan() const { return result == 'f'; }
  // The result depends on MODE's rounding.
  bool Rounds() const {
    return result == 'f' || result == 'd' || (result == 'r' && *parameters == 'u');
  }
};

// nullptr: the opcode is not translated.
const VectorOp* FindVectorOp(const Instruction& in, bool common);

// Whether this instruction with its modifiers can be translated for that MODE.
bool CanTranslate(const Instruction& in, const VectorOp& op, uint32_t mode);

// An instruction of a run, with the scalar values that it reads.
struct QueuedOp {
  const Instruction* in = nullptr;
  const VectorOp* op = nullptr;
  llvm::Value* scalar[3] = {};     // i32, i64 or nullptr, by source
  bool reads_queued_mask = false;  // an earlier instruction of the run wrote its mask
};

}  // namespace vgpu::jit
