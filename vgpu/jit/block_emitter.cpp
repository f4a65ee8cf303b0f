// SPDX-License-Identifier: MIT
#include "vgpu/jit/block_emitter.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <cstddef>

#include "vgpu/jit/chunk_emitter.h"
#include "vgpu/jit/lds_read.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/operands.h"

namespace vgpu::jit {
namespace {

using llvm::BasicBlock;
using llvm::FixedVectorType;
using llvm::Function;
using llvm::FunctionType;

constexpr uint32_t kChunks = kLanes / kChunkLanes;
constexpr uint32_t kSccOffset = offsetof(Wave, scc);

// A wave to pass to ReadConstant32 and similar functions, which read nothing of it for a constant.
const Wave& AnyWave() {
  static const Wave* const kWave = new Wave;
  return *kWave;
}

bool IsNoOperation(const Instruction& in) {
  if (in.format != Format::kSopp) return false;
  return in.opcode == isa::SOPP_s_nop || in.opcode == isa::SOPP_s_waitcnt ||
         in.opcode == isa::SOPP_s_setprio;
}

// The first SGPR of the mask that the instruction writes, or -1.
int MaskWrittenBy(const Instruction& in, const VectorOp& op) {
  if (op.result == 'm') return in.dst & 0x7f;
  return op.result == 'c' || in.opcode == isa::V_v_mad_u64_u32 ? in.sdst : -1;
}

}  // namespace

BlockEmitter::BlockEmitter(llvm::Module& module, const BlockSource& source, ReplayFunction replay,
                           const std::string& name)
    : module_(module), source_(source), replay_(replay), b_(module.getContext()) {
  llvm::Type* pointer = b_.getInt8PtrTy();
  auto* type = FunctionType::get(b_.getInt64Ty(), {pointer, pointer, b_.getInt32Ty()}, false);
  function_ = Function::Create(type, Function::ExternalLinkage, name, module_);
  function_->addFnAttr("prefer-vector-width", "512");
  function_->addFnAttr("min-legal-vector-width", "512");
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  wave_ = function_->getArg(0);
  context_ = function_->getArg(1);
  budget_ = function_->getArg(2);
  uint64_t pc = source.pc;
  for (uint32_t i = 0; i < source.count; ++i) {
    pcs_.push_back(pc);
    pc += source.instructions[i].dwords * sizeof(uint32_t);
  }
  pcs_.push_back(pc);
}

// ---- Scalar state

llvm::Value* BlockEmitter::WaveField(size_t offset) {
  return b_.CreateGEP(b_.getInt8Ty(), wave_, b_.getInt64(offset));
}

llvm::Value* BlockEmitter::Sgpr(uint32_t code) {
  Value*& known = sgpr_[code];
  if (known == nullptr) {
    known = b_.CreateLoad(b_.getInt32Ty(), WaveField(offsetof(Wave, sgpr) + code * 4));
  }
  return known;
}

void BlockEmitter::SetSgpr(uint32_t code, Value* value) {
  sgpr_[code] = value;
  sgpr_dirty_[code] = true;
}

llvm::Value* BlockEmitter::Sgpr64(uint32_t code) {
  Value* low = b_.CreateZExt(Sgpr(code), b_.getInt64Ty());
  Value* high = b_.CreateZExt(Sgpr(code + 1), b_.getInt64Ty());
  return b_.CreateOr(low, b_.CreateShl(high, 32));
}

void BlockEmitter::SetSgpr64(uint32_t code, Value* value) {
  SetSgpr(code, b_.CreateTrunc(value, b_.getInt32Ty()));
  SetSgpr(code + 1, b_.CreateTrunc(b_.CreateLShr(value, 32), b_.getInt32Ty()));
}

llvm::Value* BlockEmitter::Scc() {
  if (scc_ == nullptr) {
    Value* byte = b_.CreateLoad(b_.getInt8Ty(), WaveField(kSccOffset));
    scc_ = b_.CreateICmpNE(byte, b_.getInt8(0));
  }
  return scc_;
}

llvm::Value* BlockEmitter::Scalar32(const Instruction& in, uint32_t code) {
  if (code < kOperandInlineFirst) return Sgpr(code);
  if (code == kOperandScc) return b_.CreateZExt(Scc(), b_.getInt32Ty());
  if (code == kOperandVccz || code == kOperandExecz) {
    Value* mask = Sgpr64(code == kOperandVccz ? kOperandVcc : kOperandExec);
    return b_.CreateZExt(b_.CreateICmpEQ(mask, b_.getInt64(0)), b_.getInt32Ty());
  }
  return Const32(ReadScalar32(AnyWave(), in, code));
}

llvm::Value* BlockEmitter::Scalar64(const Instruction& in, uint32_t code, bool is_double) {
  if (code < kOperandInlineFirst) return Sgpr64(code);
  if (code == kOperandScc || code == kOperandVccz || code == kOperandExecz) {
    return b_.CreateZExt(Scalar32(in, code), b_.getInt64Ty());
  }
  return b_.getInt64(is_double ? ReadScalarF64(AnyWave(), in, code)
                               : ReadScalar64(AnyWave(), in, code));
}

void BlockEmitter::Forget() {
  sgpr_.fill(nullptr);
  sgpr_dirty_.fill(false);
  scc_ = nullptr;
  scc_dirty_ = false;
}

void BlockEmitter::StoreScalars() {
  for (uint32_t code = 0; code < kSgprSlots; ++code) {
    if (!sgpr_dirty_[code]) continue;
    b_.CreateStore(sgpr_[code], WaveField(offsetof(Wave, sgpr) + code * 4));
    sgpr_dirty_[code] = false;
  }
  if (scc_dirty_) {
    b_.CreateStore(b_.CreateZExt(scc_, b_.getInt8Ty()), WaveField(kSccOffset));
    scc_dirty_ = false;
  }
}

bool BlockEmitter::WaitsForMask(uint32_t code) const {
  return std::any_of(masks_.begin(), masks_.end(),
                     [&](uint8_t mask) { return code == mask || code == mask + 1u; });
}

// Whether the instruction reads or writes an SGPR that the run's vector instructions write. A whole
// mask that an earlier vector instruction wrote does not count: its value is available.
bool BlockEmitter::TouchesMask(const Instruction& in, const VectorOp* op) const {
  if (masks_.empty()) return false;
  const auto touches = [&](uint32_t code) {
    if (code == kOperandVccz) return WaitsForMask(kOperandVcc) || WaitsForMask(kOperandVcc + 1);
    return code < kOperandInlineFirst && (WaitsForMask(code) || WaitsForMask(code + 1));
  };
  const auto other_mask = [&](uint32_t code) {
    return std::find(masks_.begin(), masks_.end(), code) == masks_.end() && touches(code);
  };
  if (op == nullptr) return touches(in.src[0]) || touches(in.src[1]) || touches(in.dst);
  int source = 0;
  for (const char* kind = op->parameters; *kind != 0; ++kind) {
    if (*kind == 'o' || *kind == 'k') continue;
    if (*kind == 'm' ? other_mask(in.src[2]) : touches(in.src[source++])) return true;
  }
  const int mask = MaskWrittenBy(in, *op);
  return mask >= 0 && other_mask(static_cast<uint32_t>(mask));
}

// ---- Vector instructions

void BlockEmitter::CaptureScalars(const Instruction& in, const VectorOp& op, QueuedOp* queued) {
  int source = 0;
  for (const char* kind = op.parameters; *kind != 0; ++kind) {
    if (*kind == 'o' || *kind == 'k') continue;
    if (*kind == 'm') {
      const auto code = static_cast<uint8_t>(in.src[2]);
      queued->reads_queued_mask = std::find(masks_.begin(), masks_.end(), code) != masks_.end();
      if (!queued->reads_queued_mask) queued->scalar[2] = Scalar64(in, code, false);
      continue;
    }
    const uint32_t code = in.src[source];
    if (code < kOperandVgprFirst) {
      const bool wide = *kind == 'U' || *kind == 'd';
      queued->scalar[source] = wide ? Scalar64(in, code, *kind == 'd') : Scalar32(in, code);
    }
    ++source;
  }
}

// Queues the load with three scalars: the base of LDS, the last address from which the load stays
// inside LDS, and whether there is no such address.
void BlockEmitter::QueueLdsRead(uint32_t index) {
  static constexpr VectorOp kRead = {"", 'l', nullptr};
  if (run_reads_exec_) EndRun(index);
  QueuedOp queued;
  queued.in = &source_.instructions[index];
  queued.op = &kRead;
  const auto field = [&](llvm::Type* type, size_t offset) {
    return b_.CreateLoad(type, b_.CreateGEP(b_.getInt8Ty(), context_, b_.getInt64(offset)));
  };
  Value* lds = field(b_.getInt8PtrTy(), offsetof(ExecutionContext, lds));
  Value* bytes = field(b_.getInt32Ty(), offsetof(ExecutionContext, lds_bytes));
  Value* reach = Const32(LdsReadOf(*queued.in)->Reach());
  Value* none = b_.CreateICmpULT(bytes, reach);
  queued.scalar[0] = b_.CreateSelect(none, wave_, lds);
  queued.scalar[1] = b_.CreateSelect(none, Const32(0), b_.CreateSub(bytes, reach));
  queued.scalar[2] = none;
  queue_.push_back(queued);
}

bool BlockEmitter::QueueVector(uint32_t index) {
  const Instruction& in = source_.instructions[index];
  if (LdsReadOf(in)) {
    QueueLdsRead(index);
    return true;
  }
  const VectorOp* op = FindVectorOp(in, source_.common[index] != 0);
  if (op == nullptr || !CanTranslate(in, *op, source_.mode)) return false;
  if (run_reads_exec_ || TouchesMask(in, op)) EndRun(index);
  QueuedOp queued;
  queued.in = &in;
  queued.op = op;
  CaptureScalars(in, *op, &queued);
  if (const int mask = MaskWrittenBy(in, *op); mask >= 0) {
    const auto code = static_cast<uint8_t>(mask);
    if (std::find(masks_.begin(), masks_.end(), code) == masks_.end()) masks_.push_back(code);
  }
  queue_.push_back(queued);
  return true;
}

void BlockEmitter::EmitChunkLoop(uint32_t end) {
  llvm::LLVMContext& context = b_.getContext();
  const auto block = [&](const char* name) { return BasicBlock::Create(context, name, function_); };
  const uint32_t mask_count = static_cast<uint32_t>(masks_.size());
  llvm::IRBuilder<> at_entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  auto* mask_type = llvm::ArrayType::get(b_.getInt16Ty(), kChunks);
  auto* masks_type = llvm::ArrayType::get(mask_type, std::max(mask_count, 1u));
  Value* masks = at_entry.CreateAlloca(masks_type);
  const auto mask_place = [&](uint32_t mask, Value* chunk) {
    return b_.CreateGEP(masks_type, masks, {b_.getInt64(0), b_.getInt64(mask), chunk});
  };
  Value* exec = Sgpr64(kOperandExec);
  BasicBlock* before = b_.GetInsertBlock();
  BasicBlock *head = block("chunk"), *body = block("body"), *store = block("store");
  BasicBlock *next = block("next"), *after = block("after"), *skip = block("skip");
  b_.CreateBr(head);

  b_.SetInsertPoint(head);
  llvm::PHINode* chunk = b_.CreatePHI(b_.getInt64Ty(), 2);
  chunk->addIncoming(b_.getInt64(0), before);
  Value* shift = b_.CreateMul(chunk, b_.getInt64(kChunkLanes));
  Value* bits = b_.CreateTrunc(b_.CreateLShr(exec, shift), b_.getInt16Ty());
  b_.CreateCondBr(b_.CreateICmpEQ(bits, b_.getInt16(0)), skip, body);

  b_.SetInsertPoint(body);
  Value* lanes = b_.CreateBitCast(bits, FixedVectorType::get(b_.getInt1Ty(), kChunkLanes));
  ChunkEmitter emitter(b_, wave_, chunk, lanes, source_.mode);
  for (const QueuedOp& queued : queue_) emitter.Emit(queued);
  if (Value* needs_replay = emitter.NeedsReplay()) {
    BasicBlock* replay = block("replay");
    auto* weights = llvm::MDBuilder(context).createBranchWeights(1, 1000);
    b_.CreateCondBr(needs_replay, replay, store, weights);
    b_.SetInsertPoint(replay);
    EmitReplay(end, chunk, masks, mask_count);
    b_.CreateBr(next);
  } else {
    b_.CreateBr(store);
  }

  b_.SetInsertPoint(store);
  emitter.StoreRegisters();
  for (uint32_t i = 0; i < mask_count; ++i) {
    Value* mask = b_.CreateBitCast(emitter.MaskOf(masks_[i]), b_.getInt16Ty());
    b_.CreateStore(mask, mask_place(i, chunk));
  }
  b_.CreateBr(next);

  b_.SetInsertPoint(skip);
  for (uint32_t i = 0; i < mask_count; ++i) b_.CreateStore(b_.getInt16(0), mask_place(i, chunk));
  b_.CreateBr(next);

  b_.SetInsertPoint(next);
  Value* following = b_.CreateAdd(chunk, b_.getInt64(1));
  chunk->addIncoming(following, next);
  b_.CreateCondBr(b_.CreateICmpULT(following, b_.getInt64(kChunks)), head, after);

  b_.SetInsertPoint(after);
  const std::vector<uint8_t> codes = std::move(masks_);
  masks_.clear();
  queue_.clear();
  for (uint32_t i = 0; i < mask_count; ++i) {
    Value* mask = b_.CreateLoad(b_.getInt64Ty(), mask_place(i, b_.getInt64(0)));
    SetSgpr64(codes[i], mask);
  }
}

void BlockEmitter::EmitReplay(uint32_t end, Value* chunk, Value* masks, uint32_t mask_count) {
  llvm::Type* pointer = b_.getInt8PtrTy();
  llvm::Type* word = b_.getInt32Ty();
  auto* type = FunctionType::get(
      b_.getVoidTy(), {pointer, pointer, pointer, word, word, pointer, pointer, word}, false);
  const auto address = [&](const void* place) {
    return b_.CreateIntToPtr(b_.getInt64(reinterpret_cast<uint64_t>(place)), pointer);
  };
  Value* codes = b_.CreateGlobalStringPtr(
      llvm::StringRef(reinterpret_cast<const char*>(masks_.data()), masks_.size()));
  b_.CreateCall(
      type, address(reinterpret_cast<const void*>(replay_)),
      {wave_, context_, address(&source_.instructions[run_start_]), b_.getInt32(end - run_start_),
       b_.CreateTrunc(chunk, word), masks, codes, b_.getInt32(mask_count)});
}

void BlockEmitter::EmitReadFirstLane(const Instruction& in) {
  Value* exec = Sgpr64(kOperandExec);
  Value* first = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, exec, b_.getFalse());
  Value* lane = b_.CreateAnd(first, b_.getInt64(kLanes - 1));  // if no lane is enabled: lane 0
  const uint32_t number = in.src[0] - kOperandVgprFirst;
  Value* place =
      b_.CreateAdd(b_.CreateShl(lane, 2),
                   b_.getInt64(offsetof(Wave, vgpr) + number * sizeof(uint32_t) * kLanes));
  Value* value = b_.CreateLoad(b_.getInt32Ty(), b_.CreateGEP(b_.getInt8Ty(), wave_, place));
  SetSgpr(in.dst & 0x7f, value);
}

// ---- Control

void BlockEmitter::EndRun(uint32_t end) {
  if (!queue_.empty()) EmitChunkLoop(end);
  StoreScalars();
  run_start_ = end;
  run_reads_exec_ = false;
}

void BlockEmitter::StorePc(uint64_t pc) {
  b_.CreateStore(b_.getInt64(pc), WaveField(offsetof(Wave, pc)));
}

void BlockEmitter::ReturnPartial(uint32_t executed, bool stop) {
  Value* passes =
      b_.CreateShl(b_.CreateZExt(b_.CreateLoad(b_.getInt32Ty(), passes_), b_.getInt64Ty()), 32);
  b_.CreateRet(b_.CreateOr(passes, b_.getInt64(uint64_t{executed} << 1 | (stop ? 1 : 0))));
}

void BlockEmitter::CallHandler(uint32_t index) {
  EndRun(index);
  const Instruction& in = source_.instructions[index];
  StorePc(PcAfter(index));
  llvm::Type* pointer = b_.getInt8PtrTy();
  auto* type = FunctionType::get(b_.getInt1Ty(), {pointer, pointer, pointer}, false);
  const auto address = [&](const void* place) {
    return b_.CreateIntToPtr(b_.getInt64(reinterpret_cast<uint64_t>(place)), pointer);
  };
  llvm::CallInst* call = b_.CreateCall(type, address(reinterpret_cast<const void*>(in.handler)),
                                       {wave_, address(&in), context_});
  call->addRetAttr(llvm::Attribute::ZExt);
  BasicBlock* stop = BasicBlock::Create(b_.getContext(), "stop", function_);
  BasicBlock* on = BasicBlock::Create(b_.getContext(), "on", function_);
  b_.CreateCondBr(call, on, stop, llvm::MDBuilder(b_.getContext()).createBranchWeights(1000, 1));
  b_.SetInsertPoint(stop);
  ReturnPartial(index + 1, true);
  b_.SetInsertPoint(on);
  Forget();
  run_start_ = index + 1;
  last_handled_ = index + 1;
}

// Follows the block's last instruction: counts a pass, then starts the next one or returns.
// `again`: whether the wave is at the block's start again (i1); nullptr: never.
void BlockEmitter::ReturnOrRepeat(Value* again) {
  Value* passes = b_.CreateAdd(b_.CreateLoad(b_.getInt32Ty(), passes_), b_.getInt32(1));
  b_.CreateStore(passes, passes_);
  BasicBlock* leave = BasicBlock::Create(b_.getContext(), "leave", function_);
  if (again != nullptr) {
    Value* next = b_.CreateMul(b_.CreateAdd(passes, b_.getInt32(1)), b_.getInt32(source_.count));
    Value* repeat = b_.CreateAnd(again, b_.CreateICmpULE(next, budget_));
    b_.CreateCondBr(repeat, start_, leave);
  } else {
    b_.CreateBr(leave);
  }
  b_.SetInsertPoint(leave);
  ReturnPartial(0, false);
}

void BlockEmitter::EmitBranch(uint32_t index) {
  const Instruction& in = source_.instructions[index];
  EndRun(index);
  const uint64_t target = PcAfter(index) + static_cast<uint64_t>(int64_t{in.immediate} * 4);
  Value* taken = b_.getTrue();
  const auto is_zero = [&](uint32_t code) { return b_.CreateICmpEQ(Sgpr64(code), b_.getInt64(0)); };
  switch (in.opcode) {
    case isa::SOPP_s_cbranch_scc0:
      taken = b_.CreateNot(Scc());
      break;
    case isa::SOPP_s_cbranch_scc1:
      taken = Scc();
      break;
    case isa::SOPP_s_cbranch_vccz:
      taken = is_zero(kOperandVcc);
      break;
    case isa::SOPP_s_cbranch_vccnz:
      taken = b_.CreateNot(is_zero(kOperandVcc));
      break;
    case isa::SOPP_s_cbranch_execz:
      taken = is_zero(kOperandExec);
      break;
    case isa::SOPP_s_cbranch_execnz:
      taken = b_.CreateNot(is_zero(kOperandExec));
      break;
    default:
      break;
  }
  Value* pc = b_.CreateSelect(taken, b_.getInt64(target), b_.getInt64(PcAfter(index)));
  b_.CreateStore(pc, WaveField(offsetof(Wave, pc)));
  ReturnOrRepeat(target == source_.pc ? taken : nullptr);
  ended_ = true;
}

void BlockEmitter::EmitInstruction(uint32_t index) {
  const Instruction& in = source_.instructions[index];
  if (IsNoOperation(in)) return;
  if (in.counted_as == InstructionClass::kBranch) return EmitBranch(index);
  if (in.format == Format::kVector && in.opcode == isa::V_v_readfirstlane_b32 &&
      in.src[0] >= kOperandVgprFirst && !in.is_dpp && !in.is_sdwa &&
      (in.dst & 0x7fu) < kOperandExec) {
    EndRun(index);
    EmitReadFirstLane(in);
    EndRun(index + 1);
    return;
  }
  if (in.counted_as == InstructionClass::kScalar && source_.common[index] != 0 &&
      IsTranslatedScalar(in)) {
    if (ReadsExec(in)) {
      if (!queue_.empty()) EndRun(index);
      run_reads_exec_ = true;
    }
    const bool writes_exec = WritesExec(in);
    if (writes_exec || TouchesMask(in, nullptr)) EndRun(index);
    EmitScalar(in);
    if (writes_exec) EndRun(index + 1);
    return;
  }
  if (QueueVector(index)) return;
  CallHandler(index);
}

llvm::Function* BlockEmitter::Emit() {
  BasicBlock* entry = BasicBlock::Create(b_.getContext(), "entry", function_);
  start_ = BasicBlock::Create(b_.getContext(), "start", function_);
  b_.SetInsertPoint(entry);
  passes_ = b_.CreateAlloca(b_.getInt32Ty());
  b_.CreateStore(b_.getInt32(0), passes_);
  b_.CreateBr(start_);
  b_.SetInsertPoint(start_);
  for (uint32_t i = 0; i < source_.count; ++i) EmitInstruction(i);
  if (!ended_) {
    EndRun(source_.count);
    // A handler that is the last instruction has set the program counter.
    if (last_handled_ != source_.count) StorePc(PcAfter(source_.count - 1));
    ReturnOrRepeat(nullptr);
  }
  return function_;
}

}  // namespace vgpu::jit
