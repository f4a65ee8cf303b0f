// SPDX-License-Identifier: MIT
// The scalar instructions of a block.
#include <llvm/IR/Intrinsics.h>

#include "vgpu/jit/block_emitter.h"
#include "vgpu/wave/handlers.h"

namespace vgpu::jit {
namespace {

using llvm::Intrinsic::ID;
using Predicate = llvm::CmpInst::Predicate;

// `first` and `last` are included.
bool IsBetween(uint16_t opcode, uint16_t first, uint16_t last) {
  return opcode >= first && opcode <= last;
}

bool IsSop2(uint16_t opcode) {
  return opcode <= isa::SOP2_s_orn2_b64 ||
         IsBetween(opcode, isa::SOP2_s_lshl_b32, isa::SOP2_s_ashr_i64) ||
         IsBetween(opcode, isa::SOP2_s_lshl1_add_u32, isa::SOP2_s_lshl4_add_u32) ||
         opcode == isa::SOP2_s_mul_i32 || opcode == isa::SOP2_s_mul_hi_u32 ||
         opcode == isa::SOP2_s_mul_hi_i32 || opcode == isa::SOP2_s_bfe_u32;
}
static_assert(isa::SOP2_s_add_u32 == 0 && isa::SOP2_s_orn2_b64 == 0x15);
static_assert(isa::SOP2_s_ashr_i64 == isa::SOP2_s_lshl_b32 + 5);
static_assert(isa::SOP2_s_lshl4_add_u32 == isa::SOP2_s_lshl1_add_u32 + 3);

bool IsSaveExec(uint16_t opcode) {
  return opcode == isa::SOP1_s_and_saveexec_b64 || opcode == isa::SOP1_s_or_saveexec_b64 ||
         opcode == isa::SOP1_s_xor_saveexec_b64 || opcode == isa::SOP1_s_andn2_saveexec_b64;
}

bool IsSop1(uint16_t opcode) {
  switch (opcode) {
    case isa::SOP1_s_mov_b32:
    case isa::SOP1_s_mov_b64:
    case isa::SOP1_s_not_b32:
    case isa::SOP1_s_not_b64:
    case isa::SOP1_s_bcnt1_i32_b32:
    case isa::SOP1_s_bcnt1_i32_b64:
      return true;
    default:
      return IsSaveExec(opcode);
  }
}

bool IsSopc(uint16_t opcode) {
  return opcode <= isa::SOPC_s_bitcmp1_b64 || opcode == isa::SOPC_s_cmp_eq_u64 ||
         opcode == isa::SOPC_s_cmp_lg_u64;
}

bool IsSopk(uint16_t opcode) {
  return opcode == isa::SOPK_s_movk_i32 || opcode == isa::SOPK_s_addk_i32 ||
         opcode == isa::SOPK_s_mulk_i32 ||
         IsBetween(opcode, isa::SOPK_s_cmpk_eq_i32, isa::SOPK_s_cmpk_le_u32);
}

// Where operations come in pairs, the first of a pair is on 32 bits and the second on 64.
bool IsWideSop2(uint16_t opcode) {
  return IsBetween(opcode, isa::SOP2_s_cselect_b32, isa::SOP2_s_ashr_i64) && (opcode & 1) != 0;
}
static_assert(isa::SOP2_s_cselect_b64 % 2 == 1 && isa::SOP2_s_ashr_i64 % 2 == 1);
uint16_t NarrowFormOf(uint16_t opcode) { return opcode & ~1u; }

bool IsWideSop1(uint16_t opcode) {
  return opcode == isa::SOP1_s_mov_b64 || opcode == isa::SOP1_s_not_b64 || IsSaveExec(opcode);
}

// The relations of the compares, in the order of the opcodes from s_cmp_eq_i32 on, and from
// s_cmpk_eq_i32 on.
constexpr Predicate kPredicates[] = {Predicate::ICMP_EQ,  Predicate::ICMP_NE,  Predicate::ICMP_SGT,
                                     Predicate::ICMP_SGE, Predicate::ICMP_SLT, Predicate::ICMP_SLE,
                                     Predicate::ICMP_EQ,  Predicate::ICMP_NE,  Predicate::ICMP_UGT,
                                     Predicate::ICMP_UGE, Predicate::ICMP_ULT, Predicate::ICMP_ULE};
static_assert(isa::SOPK_s_cmpk_eq_u32 == isa::SOPK_s_cmpk_eq_i32 + 6);
static_assert(isa::SOPK_s_cmpk_gt_i32 == isa::SOPK_s_cmpk_eq_i32 + 2);
static_assert(isa::SOPK_s_cmpk_le_u32 == isa::SOPK_s_cmpk_eq_i32 + 11);
static_assert(isa::SOPC_s_cmp_eq_i32 == 0 && isa::SOPC_s_cmp_eq_u32 == 6);
static_assert(isa::SOPC_s_cmp_gt_i32 == 2 && isa::SOPC_s_cmp_le_u32 == 11);

bool TouchesExec(uint32_t code, bool wide) {
  return code == kOperandExec || code == kOperandExec + 1 || (wide && code + 1 == kOperandExec);
}

}  // namespace

bool BlockEmitter::IsTranslatedScalar(const Instruction& in) const {
  switch (in.format) {
    case Format::kSop2:
      return IsSop2(in.opcode);
    case Format::kSop1:
      return IsSop1(in.opcode);
    case Format::kSopc:
      return IsSopc(in.opcode);
    case Format::kSopk:
      return IsSopk(in.opcode);
    default:
      return false;
  }
}

bool BlockEmitter::ReadsExec(const Instruction& in) const {
  if (in.format == Format::kSop1 && IsSaveExec(in.opcode)) return true;
  const int sources = in.format == Format::kSop1 ? 1 : in.format == Format::kSopk ? 0 : 2;
  for (int i = 0; i < sources; ++i) {
    if (TouchesExec(in.src[i], true) || in.src[i] == kOperandExecz) return true;
  }
  return in.format == Format::kSopk && TouchesExec(in.dst, true);
}

bool BlockEmitter::WritesExec(const Instruction& in) const {
  if (in.format == Format::kSopc) return false;
  if (in.format == Format::kSop1 && IsSaveExec(in.opcode)) return true;
  return TouchesExec(in.dst, true);
}

void BlockEmitter::EmitScalar(const Instruction& in) {
  switch (in.format) {
    case Format::kSop2:
      return EmitSop2(in);
    case Format::kSop1:
      return EmitSop1(in);
    case Format::kSopc:
      return EmitSopc(in);
    default:
      return EmitSopk(in);
  }
}

// Writes the result, and sets SCC if the result is not zero.
void BlockEmitter::SetLogic(const Instruction& in, Value* result) {
  const bool wide = result->getType()->isIntegerTy(64);
  if (wide) {
    SetSgpr64(in.dst, result);
  } else {
    SetSgpr(in.dst, result);
  }
  SetScc(b_.CreateICmpNE(result, llvm::ConstantInt::get(result->getType(), 0)));
}

bool BlockEmitter::EmitLogic(const Instruction& in, Value* a, Value* b) {
  switch (NarrowFormOf(in.opcode)) {
    case isa::SOP2_s_and_b32:
      SetLogic(in, b_.CreateAnd(a, b));
      return true;
    case isa::SOP2_s_or_b32:
      SetLogic(in, b_.CreateOr(a, b));
      return true;
    case isa::SOP2_s_xor_b32:
      SetLogic(in, b_.CreateXor(a, b));
      return true;
    case isa::SOP2_s_andn2_b32:
      SetLogic(in, b_.CreateAnd(a, b_.CreateNot(b)));
      return true;
    case isa::SOP2_s_orn2_b32:
      SetLogic(in, b_.CreateOr(a, b_.CreateNot(b)));
      return true;
    default:
      return false;
  }
}

bool BlockEmitter::EmitShift(const Instruction& in) {
  if (!IsBetween(in.opcode, isa::SOP2_s_lshl_b32, isa::SOP2_s_ashr_i64)) return false;
  const bool wide = IsWideSop2(in.opcode);
  Value* a = wide ? Scalar64(in, in.src[0], false) : Scalar32(in, in.src[0]);
  Value* amount = b_.CreateAnd(Scalar32(in, in.src[1]), Const32(wide ? 63 : 31));
  if (wide) amount = b_.CreateZExt(amount, b_.getInt64Ty());
  switch (NarrowFormOf(in.opcode)) {
    case isa::SOP2_s_lshl_b32:
      SetLogic(in, b_.CreateShl(a, amount));
      break;
    case isa::SOP2_s_lshr_b32:
      SetLogic(in, b_.CreateLShr(a, amount));
      break;
    default:
      SetLogic(in, b_.CreateAShr(a, amount));
      break;
  }
  return true;
}

// Emits the LLVM intrinsic `id`, which returns a result and an overflow bit; SCC becomes that bit.
void BlockEmitter::SetWithOverflow(const Instruction& in, uint32_t id, Value* a, Value* b) {
  Value* both = b_.CreateBinaryIntrinsic(static_cast<ID>(id), a, b);
  SetSgpr(in.dst, b_.CreateExtractValue(both, 0));
  SetScc(b_.CreateExtractValue(both, 1));
}

void BlockEmitter::SetChosen(const Instruction& in, Value* first, Value* a, Value* b) {
  SetSgpr(in.dst, b_.CreateSelect(first, a, b));
  SetScc(first);
}

void BlockEmitter::EmitSop2(const Instruction& in) {
  if (EmitShift(in)) return;
  const bool wide = IsWideSop2(in.opcode);
  Value* a = wide ? Scalar64(in, in.src[0], false) : Scalar32(in, in.src[0]);
  Value* b = wide ? Scalar64(in, in.src[1], false) : Scalar32(in, in.src[1]);
  if (EmitLogic(in, a, b)) return;
  llvm::Type* const wide_type = b_.getInt64Ty();
  const auto extend = [&](Value* value) { return b_.CreateZExt(value, wide_type); };
  const auto set_sum = [&](Value* sum) {
    SetSgpr(in.dst, b_.CreateTrunc(sum, b_.getInt32Ty()));
    SetScc(b_.CreateICmpNE(b_.CreateLShr(sum, 32), b_.getInt64(0)));
  };
  const auto set_high = [&](Value* product) {
    SetSgpr(in.dst, b_.CreateTrunc(b_.CreateLShr(product, 32), b_.getInt32Ty()));
  };
  switch (in.opcode) {
    case isa::SOP2_s_add_u32:
      return SetWithOverflow(in, llvm::Intrinsic::uadd_with_overflow, a, b);
    case isa::SOP2_s_sub_u32:
      return SetWithOverflow(in, llvm::Intrinsic::usub_with_overflow, a, b);
    case isa::SOP2_s_add_i32:
      return SetWithOverflow(in, llvm::Intrinsic::sadd_with_overflow, a, b);
    case isa::SOP2_s_sub_i32:
      return SetWithOverflow(in, llvm::Intrinsic::ssub_with_overflow, a, b);
    case isa::SOP2_s_addc_u32:
      return set_sum(b_.CreateAdd(b_.CreateAdd(extend(a), extend(b)), extend(Scc())));
    case isa::SOP2_s_subb_u32: {
      Value* taken = b_.CreateAdd(extend(b), extend(Scc()));
      SetSgpr(in.dst, b_.CreateTrunc(b_.CreateSub(extend(a), taken), b_.getInt32Ty()));
      return SetScc(b_.CreateICmpUGT(taken, extend(a)));
    }
    case isa::SOP2_s_min_i32:
      return SetChosen(in, b_.CreateICmpSLT(a, b), a, b);
    case isa::SOP2_s_min_u32:
      return SetChosen(in, b_.CreateICmpULT(a, b), a, b);
    case isa::SOP2_s_max_i32:
      return SetChosen(in, b_.CreateICmpSGT(a, b), a, b);
    case isa::SOP2_s_max_u32:
      return SetChosen(in, b_.CreateICmpUGT(a, b), a, b);
    case isa::SOP2_s_cselect_b32:
      return SetSgpr(in.dst, b_.CreateSelect(Scc(), a, b));
    case isa::SOP2_s_cselect_b64:
      return SetSgpr64(in.dst, b_.CreateSelect(Scc(), a, b));
    case isa::SOP2_s_mul_i32:
      return SetSgpr(in.dst, b_.CreateMul(a, b));
    case isa::SOP2_s_mul_hi_u32:
      return set_high(b_.CreateMul(extend(a), extend(b)));
    case isa::SOP2_s_mul_hi_i32:
      return set_high(b_.CreateMul(b_.CreateSExt(a, wide_type), b_.CreateSExt(b, wide_type)));
    case isa::SOP2_s_bfe_u32: {
      Value* width = b_.CreateAnd(b_.CreateLShr(b, 16), Const32(0x7f));
      Value* shifted = b_.CreateLShr(a, b_.CreateAnd(b, Const32(31)));
      Value* one = b_.CreateShl(Const32(1), b_.CreateAnd(width, Const32(31)));
      Value* low = b_.CreateAnd(shifted, b_.CreateSub(one, Const32(1)));
      return SetLogic(in, b_.CreateSelect(b_.CreateICmpUGE(width, Const32(32)), shifted, low));
    }
    default: {
      const uint64_t shift = in.opcode - isa::SOP2_s_lshl1_add_u32 + 1u;
      return set_sum(b_.CreateAdd(b_.CreateShl(extend(a), shift), extend(b)));
    }
  }
}

void BlockEmitter::EmitSaveExec(const Instruction& in) {
  Value* source = Scalar64(in, in.src[0], false);
  Value* old = Sgpr64(kOperandExec);
  Value* exec = nullptr;
  switch (in.opcode) {
    case isa::SOP1_s_and_saveexec_b64:
      exec = b_.CreateAnd(source, old);
      break;
    case isa::SOP1_s_or_saveexec_b64:
      exec = b_.CreateOr(source, old);
      break;
    case isa::SOP1_s_xor_saveexec_b64:
      exec = b_.CreateXor(source, old);
      break;
    default:
      exec = b_.CreateAnd(source, b_.CreateNot(old));
      break;
  }
  SetSgpr64(in.dst, old);
  SetSgpr64(kOperandExec, exec);
  SetScc(b_.CreateICmpNE(exec, b_.getInt64(0)));
}

void BlockEmitter::EmitSop1(const Instruction& in) {
  if (IsSaveExec(in.opcode)) return EmitSaveExec(in);
  const bool wide = IsWideSop1(in.opcode) || in.opcode == isa::SOP1_s_bcnt1_i32_b64;
  Value* a = wide ? Scalar64(in, in.src[0], false) : Scalar32(in, in.src[0]);
  switch (in.opcode) {
    case isa::SOP1_s_mov_b32:
      return SetSgpr(in.dst, a);
    case isa::SOP1_s_mov_b64:
      return SetSgpr64(in.dst, a);
    case isa::SOP1_s_not_b32:
    case isa::SOP1_s_not_b64:
      return SetLogic(in, b_.CreateNot(a));
    default: {
      Value* ones = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, a);
      return SetLogic(in, b_.CreateTrunc(ones, b_.getInt32Ty()));
    }
  }
}

void BlockEmitter::EmitSopc(const Instruction& in) {
  const bool wide = in.opcode == isa::SOPC_s_cmp_eq_u64 || in.opcode == isa::SOPC_s_cmp_lg_u64;
  const bool wide_bits =
      in.opcode == isa::SOPC_s_bitcmp0_b64 || in.opcode == isa::SOPC_s_bitcmp1_b64;
  Value* a = wide || wide_bits ? Scalar64(in, in.src[0], false) : Scalar32(in, in.src[0]);
  Value* b = wide ? Scalar64(in, in.src[1], false) : Scalar32(in, in.src[1]);
  if (wide) {
    const bool equal = in.opcode == isa::SOPC_s_cmp_eq_u64;
    return SetScc(equal ? b_.CreateICmpEQ(a, b) : b_.CreateICmpNE(a, b));
  }
  if (in.opcode <= isa::SOPC_s_cmp_le_u32) {
    return SetScc(b_.CreateICmp(kPredicates[in.opcode], a, b));
  }
  Value* amount = b_.CreateAnd(b, Const32(wide_bits ? 63 : 31));
  if (wide_bits) amount = b_.CreateZExt(amount, b_.getInt64Ty());
  Value* bit = b_.CreateTrunc(b_.CreateLShr(a, amount), b_.getInt1Ty());
  const bool expects_one =
      in.opcode == isa::SOPC_s_bitcmp1_b32 || in.opcode == isa::SOPC_s_bitcmp1_b64;
  SetScc(expects_one ? bit : b_.CreateNot(bit));
}

void BlockEmitter::EmitSopk(const Instruction& in) {
  const auto immediate = static_cast<uint32_t>(in.immediate);
  if (in.opcode == isa::SOPK_s_movk_i32) return SetSgpr(in.dst, Const32(immediate));
  Value* old = Sgpr(in.dst);
  if (in.opcode == isa::SOPK_s_addk_i32) {
    return SetWithOverflow(in, llvm::Intrinsic::sadd_with_overflow, old, Const32(immediate));
  }
  if (in.opcode == isa::SOPK_s_mulk_i32) {
    return SetSgpr(in.dst, b_.CreateMul(old, Const32(immediate)));
  }
  const uint32_t relation = in.opcode - isa::SOPK_s_cmpk_eq_i32;
  const bool is_unsigned = in.opcode >= isa::SOPK_s_cmpk_eq_u32;
  Value* other = Const32(is_unsigned ? immediate & 0xffff : immediate);
  SetScc(b_.CreateICmp(kPredicates[relation], old, other));
}

}  // namespace vgpu::jit
