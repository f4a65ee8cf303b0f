// SPDX-License-Identifier: MIT
#include "vgpu/jit/chunk_emitter.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <cstring>

#include "vgpu/jit/dpp.h"
#include "vgpu/wave/valu/valu_types.h"

namespace vgpu::jit {
namespace {

using llvm::Align;
using llvm::FixedVectorType;
using llvm::Intrinsic::ID;

constexpr uint32_t kExponent = 0x7f800000;
constexpr uint32_t kSign = 0x80000000;
constexpr uint64_t kSign64 = uint64_t{1} << 63;
constexpr uint64_t kRowBytes = sizeof(uint32_t) * kLanes;
constexpr uint64_t kChunkBytes = sizeof(uint32_t) * kChunkLanes;

}  // namespace

ChunkEmitter::ChunkEmitter(llvm::IRBuilder<>& builder, Value* wave, Value* chunk, Value* exec,
                           uint32_t mode)
    : b(builder),
      i32(FixedVectorType::get(builder.getInt32Ty(), kChunkLanes)),
      i64(FixedVectorType::get(builder.getInt64Ty(), kChunkLanes)),
      f32(FixedVectorType::get(builder.getFloatTy(), kChunkLanes)),
      f64(FixedVectorType::get(builder.getDoubleTy(), kChunkLanes)),
      wave_(wave),
      chunk_(chunk),
      exec_(exec),
      mode_(mode) {}

llvm::Value* ChunkEmitter::Call(ID id, std::initializer_list<Value*> arguments) {
  return b.CreateIntrinsic(id, {(*arguments.begin())->getType()},
                           llvm::ArrayRef<Value*>(arguments.begin(), arguments.size()));
}

llvm::Value* ChunkEmitter::Flush(Value* value) {
  Value* bits = Bits(value);
  Value* none = b.CreateICmpEQ(b.CreateAnd(bits, U(kExponent)), U(0));
  return Float(b.CreateSelect(none, b.CreateAnd(bits, U(kSign)), bits));
}

llvm::Value* ChunkEmitter::LaneNumbers() {
  std::vector<llvm::Constant*> lanes;
  for (uint32_t i = 0; i < kChunkLanes; ++i) lanes.push_back(b.getInt32(i));
  Value* first = b.CreateTrunc(b.CreateMul(chunk_, b.getInt64(kChunkLanes)), b.getInt32Ty());
  return b.CreateAdd(llvm::ConstantVector::get(lanes), b.CreateVectorSplat(kChunkLanes, first));
}

llvm::Value* ChunkEmitter::Place(uint32_t number) {
  Value* bytes = b.CreateAdd(b.CreateMul(chunk_, b.getInt64(kChunkBytes)),
                             b.getInt64(offsetof(Wave, vgpr) + number * kRowBytes));
  return b.CreateGEP(b.getInt8Ty(), wave_, bytes);
}

llvm::Value* ChunkEmitter::Register(uint32_t number) {
  Value*& known = registers_[number];
  if (known == nullptr) known = b.CreateAlignedLoad(i32, Place(number), Align(kChunkBytes));
  return known;
}

void ChunkEmitter::SetRegister(uint32_t number, Value* value) {
  registers_[number] = value;
  dirty_[number] = value;
}

void ChunkEmitter::StoreRegisters() {
  for (const auto& [number, value] : dirty_) {
    b.CreateMaskedStore(value, Place(number), Align(kChunkBytes), exec_);
  }
}

void ChunkEmitter::Checked(Value* value) {
  unchecked_.erase(std::remove(unchecked_.begin(), unchecked_.end(), value), unchecked_.end());
}

llvm::Value* ChunkEmitter::Modified(const Instruction& in, int source, Value* bits) {
  if (in.abs >> source & 1) bits = b.CreateAnd(bits, U(~kSign));
  if (in.neg >> source & 1) bits = b.CreateXor(bits, U(kSign));
  return bits;
}

// Matches ReadRow: a constant or register, then DPP, SDWA, flush, absolute value, sign.
llvm::Value* ChunkEmitter::Source(const QueuedOp& queued, int source, char kind) {
  const Instruction& in = *queued.in;
  const uint32_t code = in.src[source];
  Value* bits = nullptr;
  if (code >= kOperandVgprFirst) {
    bits = Register(code - kOperandVgprFirst);
  } else {
    bits = b.CreateVectorSplat(kChunkLanes, queued.scalar[source]);
  }
  if (in.is_dpp && source == 0) bits = DppSource(in, bits);
  if (in.is_sdwa && source < 2) bits = SdwaSource(in, source, bits);
  if (kind == 'u') return bits;
  // The source needs no check: in a lane where the source is a NaN, the result is a NaN, too, and
  // the result is checked.
  if (queued.op->SpreadsNan() && !in.is_dpp && !in.is_sdwa) Checked(bits);
  if (kind == 'f' && (mode_ & valu::kModeDenormInSingle) == 0) bits = Bits(Flush(Float(bits)));
  bits = Modified(in, source, bits);
  return kind == 'f' ? Float(bits) : bits;
}

llvm::Value* ChunkEmitter::Source64(const QueuedOp& queued, int source, char kind) {
  const Instruction& in = *queued.in;
  const uint32_t code = in.src[source];
  Value* bits = nullptr;
  if (code >= kOperandVgprFirst) {
    const uint32_t number = code - kOperandVgprFirst;
    Value* low = b.CreateZExt(Register(number), i64);
    Value* high = b.CreateZExt(Register((number + 1) % kVgprs), i64);
    bits = b.CreateOr(low, b.CreateShl(high, U64(32)));
  } else {
    bits = b.CreateVectorSplat(kChunkLanes, queued.scalar[source]);
  }
  if (kind == 'U') return bits;
  if (in.abs >> source & 1) bits = b.CreateAnd(bits, U64(~kSign64));
  if (in.neg >> source & 1) bits = b.CreateXor(bits, U64(kSign64));
  return b.CreateBitCast(bits, f64);
}

llvm::Value* ChunkEmitter::Mask(const QueuedOp& queued) {
  if (queued.reads_queued_mask) return masks_.at(static_cast<uint8_t>(queued.in->src[2]));
  Value* shift = b.CreateMul(chunk_, b.getInt64(kChunkLanes));
  Value* bits = b.CreateTrunc(b.CreateLShr(queued.scalar[2], shift), b.getInt16Ty());
  return b.CreateBitCast(bits, FixedVectorType::get(b.getInt1Ty(), kChunkLanes));
}

// The lanes of a row take their values from lanes of the same row, which is a chunk.
llvm::Value* ChunkEmitter::DppSource(const Instruction& in, Value* bits) {
  const DppRow row = DppRowOf(DppControl(in));
  Value* valid = b.CreateShuffleVector(exec_, row.from);
  Value* taken = b.CreateShuffleVector(bits, row.from);
  return b.CreateSelect(b.CreateAnd(valid, row.Sources(b)), taken, U(0));
}

// The lanes that the instruction writes, without EXEC, which the stores apply.
llvm::Value* ChunkEmitter::DppMask(const Instruction& in) {
  const DppRow row = DppRowOf(DppControl(in));
  Value* lanes = BankLanes(b, DppBankMask(in));
  if (!DppBoundControl(in)) {
    Value* valid = b.CreateAnd(b.CreateShuffleVector(exec_, row.from), row.Sources(b));
    lanes = b.CreateAnd(lanes, valid);
  }
  Value* row_on = b.CreateTrunc(b.CreateLShr(b.getInt64(DppRowMask(in)), chunk_), b.getInt1Ty());
  return b.CreateAnd(lanes, b.CreateVectorSplat(kChunkLanes, row_on));
}

llvm::Value* ChunkEmitter::SdwaSource(const Instruction& in, int source, Value* bits) {
  const uint32_t select = SdwaSrcSel(in, source);
  if (select >= 6) return bits;
  const bool is_byte = select < 4;
  const uint32_t width = is_byte ? 8 : 16;
  const uint32_t shift = is_byte ? 8 * select : 16 * (select - 4);
  Value* top = b.CreateShl(bits, U(32 - width - shift));
  return SdwaSrcSext(in, source) ? b.CreateAShr(top, U(32 - width))
                                 : b.CreateLShr(top, U(32 - width));
}

llvm::Value* ChunkEmitter::SdwaResult(const Instruction& in, Value* bits) {
  const uint32_t select = SdwaDstSel(in);
  if (select >= 6) return bits;
  const uint32_t width = select < 4 ? 8 : 16;
  const uint32_t shift = select < 4 ? 8 * select : 16 * (select - 4);
  const uint32_t field = ((1u << width) - 1) << shift;
  Value* placed = b.CreateAnd(b.CreateShl(bits, U(shift)), U(field));
  switch (SdwaDstUnused(in)) {
    case 2:
      return b.CreateOr(placed, b.CreateAnd(Register(in.dst), U(~field)));
    default:
      return placed;
  }
}

llvm::Value* ChunkEmitter::Clamp(Value* value) {
  Value* positive = b.CreateFCmpOGT(value, F(0));
  Value* below = b.CreateFCmpOLT(value, F(1));
  return b.CreateSelect(positive, b.CreateSelect(below, value, F(1)), F(0));
}

void ChunkEmitter::Finish(const Instruction& in, const VectorOp& op, Value* result) {
  Value* bits = result;
  if (op.result == 'f' || op.result == 'r') {
    if ((mode_ & valu::kModeDenormOutSingle) == 0) result = Flush(result);
    if (in.clamp) {
      Avoid(b.CreateFCmpUNO(result, result));
      result = Clamp(result);
    }
    bits = Bits(result);
    const bool may_be_nan = op.result == 'f' && !in.clamp;
    if (may_be_nan && (in.is_dpp || in.is_sdwa)) {
      Avoid(b.CreateFCmpUNO(result, result));
    } else if (may_be_nan) {
      unchecked_.push_back(bits);
    }
  }
  if (in.is_sdwa) bits = SdwaResult(in, bits);
  if (in.is_dpp) bits = b.CreateSelect(DppMask(in), bits, Register(in.dst));
  SetRegister(in.dst, bits);
}

void ChunkEmitter::FinishDouble(const Instruction& in, Value* result) {
  if (result->getType() == f64) {
    Avoid(b.CreateFCmpUNO(result, result));
    result = b.CreateBitCast(result, i64);
  }
  SetRegister(in.dst, b.CreateTrunc(result, i32));
  SetRegister((in.dst + 1) % kVgprs, b.CreateTrunc(b.CreateLShr(result, U64(32)), i32));
}

void ChunkEmitter::WriteMask(uint8_t code, Value* bits) { masks_[code] = b.CreateAnd(bits, exec_); }

void ChunkEmitter::Emit(const QueuedOp& queued) {
  const Instruction& in = *queued.in;
  const VectorOp& op = *queued.op;
  if (in.format == Format::kDs) return EmitLdsRead(queued);
  Value* inputs[4] = {};
  int source = 0;
  for (size_t i = 0; i < std::strlen(op.parameters); ++i) {
    const char kind = op.parameters[i];
    if (kind == 'U' || kind == 'd') {
      inputs[i] = Source64(queued, source++, kind);
    } else if (kind == 'o') {
      Value* old = Register(in.dst);
      if (op.SpreadsNan()) Checked(old);
      inputs[i] = Float(old);
    } else if (kind == 'k') {
      inputs[i] = Float(U(in.literal));
    } else if (kind == 'm') {
      inputs[i] = Mask(queued);
    } else {
      inputs[i] = Source(queued, source++, kind);
    }
  }
  const Computed computed = op.formula(*this, inputs);
  if (op.result == 'm') return WriteMask(static_cast<uint8_t>(in.dst & 0x7f), computed.value);
  if (op.result == 'U' || op.result == 'd') {
    FinishDouble(in, computed.value);
  } else {
    Finish(in, op, computed.value);
  }
  if (computed.flag != nullptr) WriteMask(in.sdst, computed.flag);
}

// One compare finds a NaN among two values.
llvm::Value* ChunkEmitter::NeedsReplay() {
  for (size_t i = 0; i < unchecked_.size(); i += 2) {
    const size_t j = std::min(i + 1, unchecked_.size() - 1);
    Avoid(b.CreateFCmpUNO(Float(unchecked_[i]), Float(unchecked_[j])));
  }
  if (avoid_ == nullptr) return nullptr;
  Value* lanes = b.CreateBitCast(b.CreateAnd(avoid_, exec_), b.getInt16Ty());
  return b.CreateICmpNE(lanes, b.getInt16(0));
}

}  // namespace vgpu::jit
