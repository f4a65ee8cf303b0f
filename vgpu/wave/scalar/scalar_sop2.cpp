// SPDX-License-Identifier: MIT
// SOP2: scalar operations with two sources.
#include <type_traits>

#include "vgpu/wave/bit_operations.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/operands.h"

namespace vgpu {
namespace {

// kOperation(a, b, scc) returns the result and may read and change SCC.
template <auto kOperation>
bool Arithmetic(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t a = ReadSource<uint32_t>(wave, in, 0);
  const uint32_t b = ReadSource<uint32_t>(wave, in, 1);
  wave.sgpr[in.dst] = kOperation(a, b, wave.scc);
  return true;
}

// kOperation(a, b) returns the result; SCC says whether it is not zero.
template <auto kOperation, class A, class B = A>
bool Logic(Wave& wave, const Instruction& in, ExecutionContext&) {
  const A result = kOperation(ReadSource<A>(wave, in, 0), ReadSource<B>(wave, in, 1));
  WriteSgpr(wave, in.dst, result);
  wave.scc = result != 0;
  return true;
}

// SCC untouched.
template <auto kOperation, class Result = uint32_t>
bool Plain(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t a = ReadSource<uint32_t>(wave, in, 0);
  const uint32_t b = ReadSource<uint32_t>(wave, in, 1);
  WriteSgpr<Result>(wave, in.dst, kOperation(a, b));
  return true;
}

template <class T>
bool Select(Wave& wave, const Instruction& in, ExecutionContext&) {
  WriteSgpr(wave, in.dst, ReadSource<T>(wave, in, wave.scc ? 0 : 1));
  return true;
}

// SCC: the first source was chosen.
template <class T, auto kFirstWins>
bool Choose(Wave& wave, const Instruction& in, ExecutionContext&) {
  const T a = ReadSource<T>(wave, in, 0);
  const T b = ReadSource<T>(wave, in, 1);
  wave.scc = kFirstWins(a, b);
  WriteSgpr(wave, in.dst, wave.scc ? a : b);
  return true;
}

uint32_t AddUnsigned(uint32_t a, uint32_t b, bool& scc) {
  const uint32_t sum = a + b;
  scc = sum < a;
  return sum;
}

uint32_t SubtractUnsigned(uint32_t a, uint32_t b, bool& scc) {
  scc = b > a;
  return a - b;
}

uint32_t AddSigned(uint32_t a, uint32_t b, bool& scc) {
  int32_t sum;
  scc = __builtin_add_overflow(Signed(a), Signed(b), &sum);
  return static_cast<uint32_t>(sum);
}

uint32_t SubtractSigned(uint32_t a, uint32_t b, bool& scc) {
  int32_t difference;
  scc = __builtin_sub_overflow(Signed(a), Signed(b), &difference);
  return static_cast<uint32_t>(difference);
}

uint32_t AddWithCarry(uint32_t a, uint32_t b, bool& scc) {
  const uint64_t sum = uint64_t{a} + b + scc;
  scc = sum >> 32 != 0;
  return static_cast<uint32_t>(sum);
}

uint32_t SubtractWithBorrow(uint32_t a, uint32_t b, bool& scc) {
  const uint64_t taken = uint64_t{b} + scc;
  scc = taken > a;
  return static_cast<uint32_t>(a - taken);
}

template <int kShift>
uint32_t ShiftAndAdd(uint32_t a, uint32_t b, bool& scc) {
  const uint64_t sum = (uint64_t{a} << kShift) + b;
  scc = sum >> 32 != 0;
  return static_cast<uint32_t>(sum);
}

// The difference wraps before its sign is read: |0x80000000 - 1| is 0x7fffffff.
uint32_t AbsoluteDifference(uint32_t a, uint32_t b) {
  const uint32_t difference = a - b;
  return Signed(difference) < 0 ? 0 - difference : difference;
}

// s_bfe: source 1 holds the offset in its low bits and the width in bits 16-22. If T is signed, the
// field has a sign.
template <class T>
T Extract(T a, uint32_t control) {
  const uint32_t width = control >> 16 & 0x7f;
  const auto shifted = static_cast<std::make_unsigned_t<T>>(a >> (control & (kBitsOf<T> - 1)));
  if constexpr (std::is_signed_v<T>) return Signed(SignExtendFrom(shifted, width));
  return LowBits(shifted, width);
}

template <class T>
T BitFieldMask(uint32_t width, uint32_t shift) {
  constexpr uint32_t kMost = kBitsOf<T> - 1;
  return ((T{1} << (width & kMost)) - 1) << (shift & kMost);
}

constexpr auto kShiftLeft = [](auto a, uint32_t b) {
  return a << (b & (kBitsOf<decltype(a)> - 1));
};
constexpr auto kShiftRight = [](auto a, uint32_t b) {
  return a >> (b & (kBitsOf<decltype(a)> - 1));
};

constexpr auto kMultiply = [](uint32_t a, uint32_t b) { return a * b; };
constexpr auto kMultiplyHighUnsigned = [](uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(uint64_t{a} * b >> 32);
};
constexpr auto kMultiplyHighSigned = [](uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(int64_t{Signed(a)} * Signed(b) >> 32);
};
constexpr auto kPackLowLow = [](uint32_t a, uint32_t b) { return (a & 0xffff) | b << 16; };
constexpr auto kPackLowHigh = [](uint32_t a, uint32_t b) {
  return (a & 0xffff) | (b & 0xffff0000);
};
constexpr auto kPackHighHigh = [](uint32_t a, uint32_t b) { return a >> 16 | (b & 0xffff0000); };

constexpr OpcodeHandler kEntries[] = {
    {isa::SOP2_s_add_u32, Arithmetic<AddUnsigned>},
    {isa::SOP2_s_sub_u32, Arithmetic<SubtractUnsigned>},
    {isa::SOP2_s_add_i32, Arithmetic<AddSigned>},
    {isa::SOP2_s_sub_i32, Arithmetic<SubtractSigned>},
    {isa::SOP2_s_addc_u32, Arithmetic<AddWithCarry>},
    {isa::SOP2_s_subb_u32, Arithmetic<SubtractWithBorrow>},
    {isa::SOP2_s_min_i32, Choose<int32_t, kLess>},
    {isa::SOP2_s_min_u32, Choose<uint32_t, kLess>},
    {isa::SOP2_s_max_i32, Choose<int32_t, kGreater>},
    {isa::SOP2_s_max_u32, Choose<uint32_t, kGreater>},
    {isa::SOP2_s_cselect_b32, Select<uint32_t>},
    {isa::SOP2_s_cselect_b64, Select<uint64_t>},
    {isa::SOP2_s_and_b32, Logic<kAnd, uint32_t>},
    {isa::SOP2_s_and_b64, Logic<kAnd, uint64_t>},
    {isa::SOP2_s_or_b32, Logic<kOr, uint32_t>},
    {isa::SOP2_s_or_b64, Logic<kOr, uint64_t>},
    {isa::SOP2_s_xor_b32, Logic<kXor, uint32_t>},
    {isa::SOP2_s_xor_b64, Logic<kXor, uint64_t>},
    {isa::SOP2_s_andn2_b32, Logic<kAndNot, uint32_t>},
    {isa::SOP2_s_andn2_b64, Logic<kAndNot, uint64_t>},
    {isa::SOP2_s_orn2_b32, Logic<kOrNot, uint32_t>},
    {isa::SOP2_s_orn2_b64, Logic<kOrNot, uint64_t>},
    {isa::SOP2_s_nand_b32, Logic<kNand, uint32_t>},
    {isa::SOP2_s_nand_b64, Logic<kNand, uint64_t>},
    {isa::SOP2_s_nor_b32, Logic<kNor, uint32_t>},
    {isa::SOP2_s_nor_b64, Logic<kNor, uint64_t>},
    {isa::SOP2_s_xnor_b32, Logic<kXnor, uint32_t>},
    {isa::SOP2_s_xnor_b64, Logic<kXnor, uint64_t>},
    {isa::SOP2_s_lshl_b32, Logic<kShiftLeft, uint32_t>},
    {isa::SOP2_s_lshl_b64, Logic<kShiftLeft, uint64_t, uint32_t>},
    {isa::SOP2_s_lshr_b32, Logic<kShiftRight, uint32_t>},
    {isa::SOP2_s_lshr_b64, Logic<kShiftRight, uint64_t, uint32_t>},
    {isa::SOP2_s_ashr_i32, Logic<kShiftRight, int32_t>},
    {isa::SOP2_s_ashr_i64, Logic<kShiftRight, int64_t, uint32_t>},
    {isa::SOP2_s_bfm_b32, Plain<BitFieldMask<uint32_t>>},
    {isa::SOP2_s_bfm_b64, Plain<BitFieldMask<uint64_t>, uint64_t>},
    {isa::SOP2_s_mul_i32, Plain<kMultiply>},
    {isa::SOP2_s_mul_hi_u32, Plain<kMultiplyHighUnsigned>},
    {isa::SOP2_s_mul_hi_i32, Plain<kMultiplyHighSigned>},
    {isa::SOP2_s_bfe_u32, Logic<Extract<uint32_t>, uint32_t>},
    {isa::SOP2_s_bfe_i32, Logic<Extract<int32_t>, int32_t, uint32_t>},
    {isa::SOP2_s_bfe_u64, Logic<Extract<uint64_t>, uint64_t, uint32_t>},
    {isa::SOP2_s_bfe_i64, Logic<Extract<int64_t>, int64_t, uint32_t>},
    {isa::SOP2_s_absdiff_i32, Logic<AbsoluteDifference, uint32_t>},
    {isa::SOP2_s_lshl1_add_u32, Arithmetic<ShiftAndAdd<1>>},
    {isa::SOP2_s_lshl2_add_u32, Arithmetic<ShiftAndAdd<2>>},
    {isa::SOP2_s_lshl3_add_u32, Arithmetic<ShiftAndAdd<3>>},
    {isa::SOP2_s_lshl4_add_u32, Arithmetic<ShiftAndAdd<4>>},
    {isa::SOP2_s_pack_ll_b32_b16, Plain<kPackLowLow>},
    {isa::SOP2_s_pack_lh_b32_b16, Plain<kPackLowHigh>},
    {isa::SOP2_s_pack_hh_b32_b16, Plain<kPackHighHigh>},
};

constexpr auto kTable = MakeTable<128>(kEntries);

}  // namespace

Handler FindSop2(uint16_t opcode) { return Find(kTable, opcode); }

}  // namespace vgpu
