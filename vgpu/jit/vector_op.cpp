// SPDX-License-Identifier: MIT
#include "vgpu/jit/vector_op.h"

#include <llvm/IR/Intrinsics.h>

#include <cstring>
#include <map>

#include "vgpu/jit/chunk_emitter.h"
#include "vgpu/jit/dpp.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/valu/valu_types.h"

namespace vgpu::jit {
namespace {

using llvm::Value;
using llvm::Intrinsic::ID;
using E = ChunkEmitter;

// ---- Floats

Value* Fma(E& e, Value* a, Value* b, Value* c) { return e.Call(llvm::Intrinsic::fma, {a, b, c}); }
// Rounds the product before the sum, and flushes denormals always.
Value* MultiplyAdd(E& e, Value* a, Value* b, Value* c) {
  Value* product = e.Flush(e.b.CreateFMul(e.Flush(a), e.Flush(b)));
  return e.Flush(e.b.CreateFAdd(product, e.Flush(c)));
}

// The formula for numbers; NaNs go to the handlers.
Value* Least(E& e, Value* a, Value* b) {
  e.Avoid(e.b.CreateFCmpUNO(a, b));
  Value* equal = e.Float(e.b.CreateOr(e.Bits(a), e.Bits(b)));
  Value* lesser = e.b.CreateSelect(e.b.CreateFCmpOLT(a, b), a, b);
  return e.b.CreateSelect(e.b.CreateFCmpOEQ(a, b), equal, lesser);
}
Value* Most(E& e, Value* a, Value* b) {
  e.Avoid(e.b.CreateFCmpUNO(a, b));
  Value* equal = e.Float(e.b.CreateAnd(e.Bits(a), e.Bits(b)));
  Value* greater = e.b.CreateSelect(e.b.CreateFCmpOGT(a, b), a, b);
  return e.b.CreateSelect(e.b.CreateFCmpOEQ(a, b), equal, greater);
}
Value* Middle(E& e, Value* a, Value* b, Value* c) {
  Value* most = Most(e, Most(e, a, b), c);
  Value* without_b = Most(e, a, c);
  Value* others = e.b.CreateSelect(e.b.CreateFCmpOEQ(most, b), without_b, Most(e, a, b));
  return e.b.CreateSelect(e.b.CreateFCmpOEQ(most, a), Most(e, b, c), others);
}

Value* Wide(E& e, Value* value) { return e.b.CreateFPExt(value, e.f64); }

Computed ToInteger(E& e, Value* value, bool is_signed) {
  const float low = is_signed ? -2147483648.0f : 0.0f;
  const float high = is_signed ? 2147483648.0f : 4294967296.0f;
  Value* above = e.b.CreateFCmpOGE(value, e.F(high));
  Value* below = e.b.CreateFCmpOLT(value, e.F(low));
  Value* inside =
      e.b.CreateAnd(e.b.CreateFCmpOGE(value, e.F(low)), e.b.CreateFCmpOLT(value, e.F(high)));
  Value* safe = e.b.CreateSelect(inside, value, e.F(0));
  Value* converted = is_signed ? e.b.CreateFPToSI(safe, e.i32) : e.b.CreateFPToUI(safe, e.i32);
  Value* most = e.U(is_signed ? 0x7fffffff : ~0u);
  Value* least = e.U(is_signed ? 0x80000000 : 0);
  Value* outside = e.b.CreateSelect(above, most, e.b.CreateSelect(below, least, e.U(0)));
  return {e.b.CreateSelect(inside, converted, outside)};
}

Computed ByteToFloat(E& e, Value* value, uint32_t number) {
  Value* byte = e.b.CreateAnd(e.b.CreateLShr(value, e.U(8 * number)), e.U(0xff));
  return {e.b.CreateSIToFP(byte, e.f32)};
}

// ---- Integers

Value* Amount(E& e, Value* value) { return e.b.CreateAnd(value, e.U(31)); }
Value* Amount64(E& e, Value* value) { return e.b.CreateZExt(e.b.CreateAnd(value, e.U(63)), e.i64); }
Value* Low24(E& e, Value* value) { return e.b.CreateAnd(value, e.U(0xffffff)); }
Value* SignedLow24(E& e, Value* value) {
  return e.b.CreateAShr(e.b.CreateShl(value, e.U(8)), e.U(8));
}
Value* High32(E& e, Value* wide) { return e.b.CreateTrunc(e.b.CreateLShr(wide, e.U64(32)), e.i32); }
Value* Product(E& e, Value* a, Value* b, bool is_signed) {
  Value* x = is_signed ? e.b.CreateSExt(a, e.i64) : e.b.CreateZExt(a, e.i64);
  Value* y = is_signed ? e.b.CreateSExt(b, e.i64) : e.b.CreateZExt(b, e.i64);
  return e.b.CreateMul(x, y);
}

Computed AddCarry(E& e, Value* a, Value* b, Value* carry) {
  Value* partial = e.b.CreateAdd(a, b);
  Value* out = e.b.CreateICmpULT(partial, a);
  if (carry == nullptr) return {partial, out};
  Value* sum = e.b.CreateAdd(partial, e.b.CreateZExt(carry, e.i32));
  return {sum, e.b.CreateOr(out, e.b.CreateICmpULT(sum, partial))};
}
Computed SubtractBorrow(E& e, Value* a, Value* b, Value* borrow) {
  Value* difference = e.b.CreateSub(a, b);
  Value* out = e.b.CreateICmpULT(a, b);
  if (borrow == nullptr) return {difference, out};
  out = e.b.CreateOr(out, e.b.CreateAnd(borrow, e.b.CreateICmpEQ(a, b)));
  return {e.b.CreateSub(difference, e.b.CreateZExt(borrow, e.i32)), out};
}

Value* ExtractField(E& e, Value* value, Value* offset, Value* width) {
  Value* mask = e.b.CreateSub(e.b.CreateShl(e.U(1), Amount(e, width)), e.U(1));
  return e.b.CreateAnd(e.b.CreateLShr(value, Amount(e, offset)), mask);
}
Value* ExtractSignedField(E& e, Value* value, Value* offset, Value* width) {
  Value* bits = Amount(e, width);
  Value* shifted = e.b.CreateAShr(value, Amount(e, offset));
  Value* unused = Amount(e, e.b.CreateSub(e.U(32), bits));
  Value* field = e.b.CreateAShr(e.b.CreateShl(shifted, unused), unused);
  return e.b.CreateSelect(e.b.CreateICmpEQ(bits, e.U(0)), e.U(0), field);
}
Value* AlignBits(E& e, Value* high, Value* low, Value* shift) {
  return e.Call(llvm::Intrinsic::fshr, {high, low, shift});
}
Value* Smaller(E& e, Value* a, Value* b, bool is_signed) {
  return e.Call(is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, {a, b});
}
Value* Larger(E& e, Value* a, Value* b, bool is_signed) {
  return e.Call(is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, {a, b});
}
Computed MiddleInteger(E& e, Value* const* in, bool is_signed) {
  Value* low = Smaller(e, in[0], in[1], is_signed);
  Value* high = Larger(e, in[0], in[1], is_signed);
  return {Larger(e, low, Smaller(e, high, in[2], is_signed), is_signed)};
}
Computed CountBelow(E& e, Value* const* in, bool high_half) {
  Value* lane = e.LaneNumbers();
  Value* is_low = e.b.CreateICmpULT(lane, e.U(32));
  Value* below = e.b.CreateSub(e.b.CreateShl(e.U(1), Amount(e, lane)), e.U(1));
  Value* mask = high_half ? e.b.CreateSelect(is_low, e.U(0), below)
                          : e.b.CreateSelect(is_low, below, e.U(~0u));
  Value* ones = e.Call(llvm::Intrinsic::ctpop, {e.b.CreateAnd(in[0], mask)});
  return {e.b.CreateAdd(ones, in[1])};
}

Computed ReciprocalRoot(E& e, Value* const* in) {
  Value* root = e.Call(llvm::Intrinsic::sqrt, {Wide(e, in[0])});
  return {e.b.CreateFPTrunc(e.b.CreateFDiv(e.D(1), root), e.f32)};
}
Computed Fraction(E& e, Value* const* in) {
  Value* below_one = e.Float(e.U(0x3f7fffff));
  Value* part = e.b.CreateFSub(in[0], e.Call(llvm::Intrinsic::floor, {in[0]}));
  return {e.b.CreateSelect(e.b.CreateFCmpOGT(part, below_one), below_one, part)};
}
Computed MultiplyAdd24(E& e, Value* const* in) {
  Value* product = e.b.CreateMul(Low24(e, in[0]), Low24(e, in[1]));
  return {e.b.CreateAdd(product, in[2])};
}
Computed SignedMultiplyAdd24(E& e, Value* const* in) {
  Value* product = e.b.CreateMul(SignedLow24(e, in[0]), SignedLow24(e, in[1]));
  return {e.b.CreateAdd(product, in[2])};
}
Computed MultiplyAdd64(E& e, Value* const* in) {
  Value* product = Product(e, in[0], in[1], false);
  Value* sum = e.b.CreateAdd(product, in[2]);
  return {sum, e.b.CreateICmpULT(sum, product)};
}
Computed InsertBits(E& e, Value* const* in) {
  Value* taken = e.b.CreateAnd(in[0], in[1]);
  return {e.b.CreateOr(taken, e.b.CreateAnd(e.b.CreateNot(in[0]), in[2]))};
}
Computed FieldMask(E& e, Value* const* in) {
  Value* ones = e.b.CreateSub(e.b.CreateShl(e.U(1), Amount(e, in[0])), e.U(1));
  return {e.b.CreateShl(ones, Amount(e, in[1]))};
}
Computed AlignBytes(E& e, Value* const* in) {
  Value* shift = e.b.CreateShl(e.b.CreateAnd(in[2], e.U(3)), e.U(3));
  return {AlignBits(e, in[0], in[1], shift)};
}

#define VGPU_OP(...) [](E& e, Value* const* in) -> Computed { return __VA_ARGS__; }
#define VGPU_VALUE(...) [](E& e, Value* const* in) -> Computed { return {__VA_ARGS__}; }

struct Row {
  uint16_t opcode;
  VectorOp op;
};
constexpr Row kRows[] = {
    {isa::V_v_add_f32, {"ff", 'f', VGPU_VALUE(e.b.CreateFAdd(in[0], in[1]))}},
    {isa::V_v_sub_f32, {"ff", 'f', VGPU_VALUE(e.b.CreateFSub(in[0], in[1]))}},
    {isa::V_v_subrev_f32, {"ff", 'f', VGPU_VALUE(e.b.CreateFSub(in[1], in[0]))}},
    {isa::V_v_mul_f32, {"ff", 'f', VGPU_VALUE(e.b.CreateFMul(in[0], in[1]))}},
    {isa::V_v_fma_f32, {"fff", 'f', VGPU_VALUE(Fma(e, in[0], in[1], in[2]))}},
    {isa::V_v_fmac_f32, {"ffo", 'f', VGPU_VALUE(Fma(e, in[0], in[1], in[2]))}},
    {isa::V_v_mad_f32, {"fff", 'f', VGPU_VALUE(MultiplyAdd(e, in[0], in[1], in[2]))}},
    {isa::V_v_mac_f32, {"ffo", 'f', VGPU_VALUE(MultiplyAdd(e, in[0], in[1], in[2]))}},
    {isa::V_v_madmk_f32, {"fkf", 'f', VGPU_VALUE(MultiplyAdd(e, in[0], in[1], in[2]))}},
    {isa::V_v_madak_f32, {"ffk", 'f', VGPU_VALUE(MultiplyAdd(e, in[0], in[1], in[2]))}},
    {isa::V_v_min_f32, {"ff", 'r', VGPU_VALUE(Least(e, in[0], in[1]))}},
    {isa::V_v_max_f32, {"ff", 'r', VGPU_VALUE(Most(e, in[0], in[1]))}},
    {isa::V_v_min3_f32, {"fff", 'r', VGPU_VALUE(Least(e, Least(e, in[0], in[1]), in[2]))}},
    {isa::V_v_max3_f32, {"fff", 'r', VGPU_VALUE(Most(e, Most(e, in[0], in[1]), in[2]))}},
    {isa::V_v_med3_f32, {"fff", 'r', VGPU_VALUE(Middle(e, in[0], in[1], in[2]))}},
    {isa::V_v_rcp_f32, {"f", 'f', VGPU_VALUE(e.b.CreateFDiv(e.F(1), in[0]))}},
    {isa::V_v_rcp_iflag_f32, {"f", 'f', VGPU_VALUE(e.b.CreateFDiv(e.F(1), in[0]))}},
    {isa::V_v_sqrt_f32, {"f", 'f', VGPU_VALUE(e.Call(llvm::Intrinsic::sqrt, {in[0]}))}},
    {isa::V_v_rsq_f32, {"f", 'f', ReciprocalRoot}},
    {isa::V_v_floor_f32, {"f", 'f', VGPU_VALUE(e.Call(llvm::Intrinsic::floor, {in[0]}))}},
    {isa::V_v_ceil_f32, {"f", 'f', VGPU_VALUE(e.Call(llvm::Intrinsic::ceil, {in[0]}))}},
    {isa::V_v_trunc_f32, {"f", 'f', VGPU_VALUE(e.Call(llvm::Intrinsic::trunc, {in[0]}))}},
    {isa::V_v_rndne_f32, {"f", 'f', VGPU_VALUE(e.Call(llvm::Intrinsic::roundeven, {in[0]}))}},
    {isa::V_v_fract_f32, {"f", 'f', Fraction}},
    {isa::V_v_cvt_f32_i32, {"u", 'r', VGPU_VALUE(e.b.CreateSIToFP(in[0], e.f32))}},
    {isa::V_v_cvt_f32_u32, {"u", 'r', VGPU_VALUE(e.b.CreateUIToFP(in[0], e.f32))}},
    {isa::V_v_cvt_i32_f32, {"f", 'u', VGPU_OP(ToInteger(e, in[0], true))}},
    {isa::V_v_cvt_u32_f32, {"f", 'u', VGPU_OP(ToInteger(e, in[0], false))}},
    {isa::V_v_cvt_f32_ubyte0, {"u", 'r', VGPU_OP(ByteToFloat(e, in[0], 0))}},
    {isa::V_v_cvt_f32_ubyte1, {"u", 'r', VGPU_OP(ByteToFloat(e, in[0], 1))}},
    {isa::V_v_cvt_f32_ubyte2, {"u", 'r', VGPU_OP(ByteToFloat(e, in[0], 2))}},
    {isa::V_v_cvt_f32_ubyte3, {"u", 'r', VGPU_OP(ByteToFloat(e, in[0], 3))}},

    {isa::V_v_add_f64, {"dd", 'd', VGPU_VALUE(e.b.CreateFAdd(in[0], in[1]))}},
    {isa::V_v_mul_f64, {"dd", 'd', VGPU_VALUE(e.b.CreateFMul(in[0], in[1]))}},
    {isa::V_v_fma_f64, {"ddd", 'd', VGPU_VALUE(Fma(e, in[0], in[1], in[2]))}},

    {isa::V_v_add_u32, {"uu", 'u', VGPU_VALUE(e.b.CreateAdd(in[0], in[1]))}},
    {isa::V_v_sub_u32, {"uu", 'u', VGPU_VALUE(e.b.CreateSub(in[0], in[1]))}},
    {isa::V_v_subrev_u32, {"uu", 'u', VGPU_VALUE(e.b.CreateSub(in[1], in[0]))}},
    {isa::V_v_add_i32, {"uu", 'u', VGPU_VALUE(e.b.CreateAdd(in[0], in[1]))}},
    {isa::V_v_sub_i32, {"uu", 'u', VGPU_VALUE(e.b.CreateSub(in[0], in[1]))}},
    {isa::V_v_add_co_u32, {"uu", 'c', VGPU_OP(AddCarry(e, in[0], in[1], nullptr))}},
    {isa::V_v_sub_co_u32, {"uu", 'c', VGPU_OP(SubtractBorrow(e, in[0], in[1], nullptr))}},
    {isa::V_v_subrev_co_u32, {"uu", 'c', VGPU_OP(SubtractBorrow(e, in[1], in[0], nullptr))}},
    {isa::V_v_addc_co_u32, {"uum", 'c', VGPU_OP(AddCarry(e, in[0], in[1], in[2]))}},
    {isa::V_v_subb_co_u32, {"uum", 'c', VGPU_OP(SubtractBorrow(e, in[0], in[1], in[2]))}},
    {isa::V_v_subbrev_co_u32, {"uum", 'c', VGPU_OP(SubtractBorrow(e, in[1], in[0], in[2]))}},
    {isa::V_v_add3_u32,
     {"uuu", 'u', VGPU_VALUE(e.b.CreateAdd(e.b.CreateAdd(in[0], in[1]), in[2]))}},
    {isa::V_v_mul_lo_u32, {"uu", 'u', VGPU_VALUE(e.b.CreateMul(in[0], in[1]))}},
    {isa::V_v_mul_hi_u32, {"uu", 'u', VGPU_VALUE(High32(e, Product(e, in[0], in[1], false)))}},
    {isa::V_v_mul_hi_i32, {"uu", 'u', VGPU_VALUE(High32(e, Product(e, in[0], in[1], true)))}},
    {isa::V_v_mul_u32_u24,
     {"uu", 'u', VGPU_VALUE(e.b.CreateMul(Low24(e, in[0]), Low24(e, in[1])))}},
    {isa::V_v_mul_i32_i24,
     {"uu", 'u', VGPU_VALUE(e.b.CreateMul(SignedLow24(e, in[0]), SignedLow24(e, in[1])))}},
    {isa::V_v_mul_hi_u32_u24,
     {"uu", 'u', VGPU_VALUE(High32(e, Product(e, Low24(e, in[0]), Low24(e, in[1]), false)))}},
    {isa::V_v_mad_u32_u24, {"uuu", 'u', MultiplyAdd24}},
    {isa::V_v_mad_i32_i24, {"uuu", 'u', SignedMultiplyAdd24}},
    {isa::V_v_mad_u64_u32, {"uuU", 'U', MultiplyAdd64}},
    {isa::V_v_min_i32, {"uu", 'u', VGPU_VALUE(Smaller(e, in[0], in[1], true))}},
    {isa::V_v_max_i32, {"uu", 'u', VGPU_VALUE(Larger(e, in[0], in[1], true))}},
    {isa::V_v_min_u32, {"uu", 'u', VGPU_VALUE(Smaller(e, in[0], in[1], false))}},
    {isa::V_v_max_u32, {"uu", 'u', VGPU_VALUE(Larger(e, in[0], in[1], false))}},
    {isa::V_v_med3_i32, {"uuu", 'u', VGPU_OP(MiddleInteger(e, in, true))}},
    {isa::V_v_med3_u32, {"uuu", 'u', VGPU_OP(MiddleInteger(e, in, false))}},

    {isa::V_v_mov_b32, {"u", 'u', VGPU_VALUE(in[0])}},
    {isa::V_v_cndmask_b32, {"rrm", 'u', VGPU_VALUE(e.b.CreateSelect(in[2], in[1], in[0]))}},
    {isa::V_v_and_b32, {"uu", 'u', VGPU_VALUE(e.b.CreateAnd(in[0], in[1]))}},
    {isa::V_v_or_b32, {"uu", 'u', VGPU_VALUE(e.b.CreateOr(in[0], in[1]))}},
    {isa::V_v_xor_b32, {"uu", 'u', VGPU_VALUE(e.b.CreateXor(in[0], in[1]))}},
    {isa::V_v_xnor_b32, {"uu", 'u', VGPU_VALUE(e.b.CreateNot(e.b.CreateXor(in[0], in[1])))}},
    {isa::V_v_not_b32, {"u", 'u', VGPU_VALUE(e.b.CreateNot(in[0]))}},
    {isa::V_v_and_or_b32,
     {"uuu", 'u', VGPU_VALUE(e.b.CreateOr(e.b.CreateAnd(in[0], in[1]), in[2]))}},
    {isa::V_v_or3_b32, {"uuu", 'u', VGPU_VALUE(e.b.CreateOr(e.b.CreateOr(in[0], in[1]), in[2]))}},
    {isa::V_v_lshl_or_b32,
     {"uuu", 'u', VGPU_VALUE(e.b.CreateOr(e.b.CreateShl(in[0], Amount(e, in[1])), in[2]))}},
    {isa::V_v_lshl_add_u32,
     {"uuu", 'u', VGPU_VALUE(e.b.CreateAdd(e.b.CreateShl(in[0], Amount(e, in[1])), in[2]))}},
    {isa::V_v_add_lshl_u32,
     {"uuu", 'u', VGPU_VALUE(e.b.CreateShl(e.b.CreateAdd(in[0], in[1]), Amount(e, in[2])))}},
    {isa::V_v_xad_u32, {"uuu", 'u', VGPU_VALUE(e.b.CreateAdd(e.b.CreateXor(in[0], in[1]), in[2]))}},
    {isa::V_v_lshlrev_b32, {"uu", 'u', VGPU_VALUE(e.b.CreateShl(in[1], Amount(e, in[0])))}},
    {isa::V_v_lshrrev_b32, {"uu", 'u', VGPU_VALUE(e.b.CreateLShr(in[1], Amount(e, in[0])))}},
    {isa::V_v_ashrrev_i32, {"uu", 'u', VGPU_VALUE(e.b.CreateAShr(in[1], Amount(e, in[0])))}},
    {isa::V_v_lshlrev_b64, {"uU", 'U', VGPU_VALUE(e.b.CreateShl(in[1], Amount64(e, in[0])))}},
    {isa::V_v_lshrrev_b64, {"uU", 'U', VGPU_VALUE(e.b.CreateLShr(in[1], Amount64(e, in[0])))}},
    {isa::V_v_ashrrev_i64, {"uU", 'U', VGPU_VALUE(e.b.CreateAShr(in[1], Amount64(e, in[0])))}},
    {isa::V_v_bfe_u32, {"uuu", 'u', VGPU_VALUE(ExtractField(e, in[0], in[1], in[2]))}},
    {isa::V_v_bfe_i32, {"uuu", 'u', VGPU_VALUE(ExtractSignedField(e, in[0], in[1], in[2]))}},
    {isa::V_v_bfi_b32, {"uuu", 'u', InsertBits}},
    {isa::V_v_bfm_b32, {"uu", 'u', FieldMask}},
    {isa::V_v_alignbit_b32, {"uuu", 'u', VGPU_VALUE(AlignBits(e, in[0], in[1], Amount(e, in[2])))}},
    {isa::V_v_alignbyte_b32, {"uuu", 'u', AlignBytes}},
    {isa::V_v_bfrev_b32, {"u", 'u', VGPU_VALUE(e.Call(llvm::Intrinsic::bitreverse, {in[0]}))}},
    {isa::V_v_bcnt_u32_b32,
     {"uu", 'u', VGPU_VALUE(e.b.CreateAdd(e.Call(llvm::Intrinsic::ctpop, {in[0]}), in[1]))}},
    {isa::V_v_mbcnt_lo_u32_b32, {"uu", 'u', VGPU_OP(CountBelow(e, in, false))}},
    {isa::V_v_mbcnt_hi_u32_b32, {"uu", 'u', VGPU_OP(CountBelow(e, in, true))}},
};

using OpTable = std::map<uint16_t, VectorOp>;

using Predicate = llvm::CmpInst::Predicate;

template <Predicate predicate>
Computed CompareFloats(E& e, Value* const* in) {
  return {e.b.CreateFCmp(predicate, in[0], in[1])};
}
template <Predicate predicate>
Computed CompareIntegers(E& e, Value* const* in) {
  return {e.b.CreateICmp(predicate, in[0], in[1])};
}

template <Predicate... predicate>
void AddFloatCompares(uint16_t first, OpTable* ops) {
  for (const auto formula : {CompareFloats<predicate>...}) (*ops)[first++] = {"ff", 'm', formula};
}
template <Predicate... predicate>
void AddIntegerCompares(uint16_t first, const char* parameters, OpTable* ops) {
  for (const auto formula : {CompareIntegers<predicate>...}) {
    (*ops)[first++] = {parameters, 'm', formula};
  }
}

// Adds the compares, except the relations that are always true or always false.
void AddCompares(OpTable* ops) {
  using P = Predicate;
  AddFloatCompares<P::FCMP_OLT, P::FCMP_OEQ, P::FCMP_OLE, P::FCMP_OGT, P::FCMP_ONE, P::FCMP_OGE,
                   P::FCMP_ORD, P::FCMP_UNO, P::FCMP_ULT, P::FCMP_UEQ, P::FCMP_ULE, P::FCMP_UGT,
                   P::FCMP_UNE, P::FCMP_UGE>(isa::V_v_cmp_lt_f32, ops);
  constexpr const char* k32 = "uu";
  constexpr const char* k64 = "UU";
  for (const auto& [first, parameters] :
       {std::pair{isa::V_v_cmp_f_i32, k32}, std::pair{isa::V_v_cmp_f_i64, k64}}) {
    AddIntegerCompares<P::ICMP_SLT, P::ICMP_EQ, P::ICMP_SLE, P::ICMP_SGT, P::ICMP_NE, P::ICMP_SGE>(
        static_cast<uint16_t>(first + 1), parameters, ops);
  }
  for (const auto& [first, parameters] :
       {std::pair{isa::V_v_cmp_f_u32, k32}, std::pair{isa::V_v_cmp_f_u64, k64}}) {
    AddIntegerCompares<P::ICMP_ULT, P::ICMP_EQ, P::ICMP_ULE, P::ICMP_UGT, P::ICMP_NE, P::ICMP_UGE>(
        static_cast<uint16_t>(first + 1), parameters, ops);
  }
}

OpTable MakeOps() {
  OpTable ops;
  for (const Row& row : kRows) ops[row.opcode] = row.op;
  AddCompares(&ops);
  return ops;
}

bool Uses(const VectorOp& op, char kind) { return std::strchr(op.parameters, kind) != nullptr; }

constexpr uint32_t kFlushes64 =
    ~uint32_t{valu::kModeDenormInHalfDouble | valu::kModeDenormOutHalfDouble};

// False for a mask in EXEC or past the last SGPR, which only the handlers write.
bool IsOrdinaryMask(uint32_t code) { return code + 1 < kOperandExec; }

}  // namespace

const VectorOp* FindVectorOp(const Instruction& in, bool common) {
  static const OpTable kOps = MakeOps();
  if (in.format != Format::kVector || !common) return nullptr;
  const auto found = kOps.find(in.opcode);
  return found != kOps.end() ? &found->second : nullptr;
}

bool CanTranslate(const Instruction& in, const VectorOp& op, uint32_t mode) {
  const bool has_float_result = op.result == 'f' || op.result == 'r';
  if (op.Rounds() && (mode & 0xf) != 0) return false;
  if (in.clamp && !has_float_result) return false;
  const bool changes_output = in.omod != 0 && (mode & valu::kModeIeee) == 0;
  if (changes_output &&
      (op.result == 'd' || (has_float_result && (mode & valu::kModeDenormOutSingle) == 0)))
    return false;
  const bool is_double = Uses(op, 'd') || op.result == 'd';
  if (is_double && (mode | kFlushes64) != ~0u) return false;
  const bool is_wide = is_double || Uses(op, 'U') || op.result == 'U';
  const bool has_mask = op.result == 'm' || op.result == 'c' || op.result == 'U';
  if ((in.is_dpp || in.is_sdwa) && (is_wide || has_mask || Uses(op, 'k') || Uses(op, 'o')))
    return false;
  if (in.is_dpp && !IsDppRow(DppControl(in))) return false;
  if (in.is_sdwa && SdwaDstSel(in) < 6 && SdwaDstUnused(in) != 0 && SdwaDstUnused(in) != 2)
    return false;
  if (op.result == 'm' && !IsOrdinaryMask(in.dst & 0x7f)) return false;
  const bool has_carry = op.result == 'c' || in.opcode == isa::V_v_mad_u64_u32;
  if (has_carry && !IsOrdinaryMask(in.sdst)) return false;
  if (Uses(op, 'm') && in.src[2] >= kOperandVgprFirst) return false;
  for (const uint16_t code : in.src) {
    if (code == kOperandExec || code == kOperandExec + 1 || code == kOperandExecz) return false;
  }
  return true;
}

}  // namespace vgpu::jit
