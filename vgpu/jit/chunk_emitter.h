// SPDX-License-Identifier: MIT
// chunk_emitter.h: emits the vector instructions of a run for one chunk of lanes.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <map>
#include <vector>

#include "vgpu/jit/vector_op.h"
#include "vgpu/wave/wave.h"

namespace vgpu::jit {

class ChunkEmitter {
 public:
  using Value = llvm::Value;

  // `chunk` is the number of the chunk (i64), `exec` its bits of EXEC (16 times i1).
  ChunkEmitter(llvm::IRBuilder<>& b, Value* wave, Value* chunk, Value* exec, uint32_t mode);

  void Emit(const QueuedOp& queued);
  // Whether the chunk must be discarded (i1); nullptr: never.
  Value* NeedsReplay();
  // Writes the registers of the enabled lanes.
  void StoreRegisters();
  // The bits of a mask that was written (16 times i1).
  Value* MaskOf(uint8_t code) const { return masks_.at(code); }

  // --- for the formulas
  llvm::IRBuilder<>& b;
  llvm::Type* const i32;  // the types are vectors of 16 elements
  llvm::Type* const i64;
  llvm::Type* const f32;
  llvm::Type* const f64;
  Value* U(uint32_t value) { return llvm::ConstantInt::get(i32, value); }
  Value* U64(uint64_t value) { return llvm::ConstantInt::get(i64, value); }
  Value* F(float value) { return llvm::ConstantFP::get(f32, value); }
  Value* D(double value) { return llvm::ConstantFP::get(f64, value); }
  Value* Bits(Value* value) { return b.CreateBitCast(value, i32); }
  Value* Float(Value* value) { return b.CreateBitCast(value, f32); }
  Value* Call(llvm::Intrinsic::ID id, std::initializer_list<Value*> arguments);
  Value* Flush(Value* value);  // of floats: denormals become zeros
  // Marks lanes whose result must come from the handlers.
  void Avoid(Value* lanes) { avoid_ = avoid_ == nullptr ? lanes : b.CreateOr(avoid_, lanes); }
  Value* LaneNumbers();

 private:
  void EmitLdsRead(const QueuedOp& queued);
  std::vector<Value*> LoadDwords(const std::vector<Value*>& places, uint32_t dwords);
  std::vector<Value*> LoadColumns(const std::vector<Value*>& places, uint32_t dwords);
  Value* Register(uint32_t number);
  void SetRegister(uint32_t number, Value* value);
  Value* Source(const QueuedOp& queued, int source, char kind);
  Value* Source64(const QueuedOp& queued, int source, char kind);
  Value* Modified(const Instruction& in, int source, Value* bits);
  Value* Mask(const QueuedOp& queued);
  Value* Place(uint32_t number);
  Value* DppSource(const Instruction& in, Value* bits);
  Value* DppMask(const Instruction& in);
  Value* SdwaSource(const Instruction& in, int source, Value* bits);
  Value* SdwaResult(const Instruction& in, Value* bits);
  void Finish(const Instruction& in, const VectorOp& op, Value* result);
  void FinishDouble(const Instruction& in, Value* result);
  Value* Clamp(Value* value);
  void Checked(Value* value);
  void WriteMask(uint8_t code, Value* bits);

  Value* wave_;
  Value* chunk_;
  Value* exec_;
  uint32_t mode_;
  std::map<uint32_t, Value*> registers_;
  std::map<uint32_t, Value*> dirty_;
  std::map<uint8_t, Value*> masks_;
  std::vector<Value*> unchecked_;  // results that may be NaN, as integers
  Value* avoid_ = nullptr;
};

}  // namespace vgpu::jit
