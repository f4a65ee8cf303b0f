// SPDX-License-Identifier: MIT
// SOP2: scalar operations with two sources.
#include <algorithm>

#include "vgpu/wave/bit_operations.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/opcodes.h"
#include "vgpu/wave/operands.h"

namespace vgpu {
namespace {

// kOperation(a, b, scc) returns the result and may read and change SCC.
template <auto kOperation>
bool Arithmetic32(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t a = ReadScalar32(wave, in, in.src[0]);
  const uint32_t b = ReadScalar32(wave, in, in.src[1]);
  wave.sgpr[in.dst] = kOperation(a, b, wave.scc);
  return true;
}

// kOperation(a, b) returns the result; SCC says whether it is not zero.
template <auto kOperation>
bool Logic32(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t a = ReadScalar32(wave, in, in.src[0]);
  const uint32_t b = ReadScalar32(wave, in, in.src[1]);
  const uint32_t result = kOperation(a, b);
  wave.sgpr[in.dst] = result;
  wave.scc = result != 0;
  return true;
}

template <auto kOperation>
bool Logic64(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint64_t a = ReadScalar64(wave, in, in.src[0]);
  const uint64_t b = ReadScalar64(wave, in, in.src[1]);
  const uint64_t result = kOperation(a, b);
  wave.SetSgpr64(in.dst, result);
  wave.scc = result != 0;
  return true;
}

// A 64-bit source and a 32-bit one.
template <auto kOperation>
bool Shift64(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint64_t a = ReadScalar64(wave, in, in.src[0]);
  const uint32_t b = ReadScalar32(wave, in, in.src[1]);
  const uint64_t result = kOperation(a, b);
  wave.SetSgpr64(in.dst, result);
  wave.scc = result != 0;
  return true;
}

// SCC untouched.
template <auto kOperation>
bool Plain32(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t a = ReadScalar32(wave, in, in.src[0]);
  const uint32_t b = ReadScalar32(wave, in, in.src[1]);
  wave.sgpr[in.dst] = kOperation(a, b);
  return true;
}

bool BitFieldMask64(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t width = ReadScalar32(wave, in, in.src[0]) & 63;
  const uint32_t shift = ReadScalar32(wave, in, in.src[1]) & 63;
  wave.SetSgpr64(in.dst, ((uint64_t{1} << width) - 1) << shift);
  return true;
}

bool Select64(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.SetSgpr64(in.dst, ReadScalar64(wave, in, in.src[wave.scc ? 0 : 1]));
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

// SCC: the first source was chosen.
template <auto kFirstWins>
uint32_t Choose(uint32_t a, uint32_t b, bool& scc) {
  scc = kFirstWins(a, b);
  return scc ? a : b;
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

// s_bfe: source 1 holds the offset in its low bits and the width in bits 16-22.
uint32_t WidthField(uint32_t control) { return control >> 16 & 0x7f; }

uint32_t ExtractUnsigned32(uint32_t a, uint32_t control) {
  return LowBits(a >> (control & 31), WidthField(control));
}

uint32_t ExtractSigned32(uint32_t a, uint32_t control) {
  const uint32_t shifted = static_cast<uint32_t>(Signed(a) >> (control & 31));
  return SignExtendFrom(shifted, WidthField(control));
}

uint64_t ExtractUnsigned64(uint64_t a, uint32_t control) {
  return LowBits(a >> (control & 63), WidthField(control));
}

uint64_t ExtractSigned64(uint64_t a, uint32_t control) {
  const uint64_t shifted = static_cast<uint64_t>(Signed(a) >> (control & 63));
  return SignExtendFrom(shifted, WidthField(control));
}

constexpr auto kAnd = [](auto a, auto b) { return a & b; };
constexpr auto kOr = [](auto a, auto b) { return a | b; };
constexpr auto kXor = [](auto a, auto b) { return a ^ b; };
constexpr auto kAndNot = [](auto a, auto b) { return a & ~b; };
constexpr auto kOrNot = [](auto a, auto b) { return a | ~b; };
constexpr auto kNand = [](auto a, auto b) { return ~(a & b); };
constexpr auto kNor = [](auto a, auto b) { return ~(a | b); };
constexpr auto kXnor = [](auto a, auto b) { return ~(a ^ b); };

constexpr auto kLessSigned = [](uint32_t a, uint32_t b) { return Signed(a) < Signed(b); };
constexpr auto kLessUnsigned = [](uint32_t a, uint32_t b) { return a < b; };
constexpr auto kMoreSigned = [](uint32_t a, uint32_t b) { return Signed(a) > Signed(b); };
constexpr auto kMoreUnsigned = [](uint32_t a, uint32_t b) { return a > b; };

constexpr auto kShiftLeft32 = [](uint32_t a, uint32_t b) { return a << (b & 31); };
constexpr auto kShiftRight32 = [](uint32_t a, uint32_t b) { return a >> (b & 31); };
constexpr auto kShiftArithmetic32 = [](uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(Signed(a) >> (b & 31));
};
constexpr auto kShiftLeft64 = [](uint64_t a, uint32_t b) { return a << (b & 63); };
constexpr auto kShiftRight64 = [](uint64_t a, uint32_t b) { return a >> (b & 63); };
constexpr auto kShiftArithmetic64 = [](uint64_t a, uint32_t b) {
  return static_cast<uint64_t>(Signed(a) >> (b & 63));
};

constexpr auto kSelect32 = [](uint32_t a, uint32_t b, bool& scc) { return scc ? a : b; };
constexpr auto kBitFieldMask32 = [](uint32_t a, uint32_t b) {
  return ((1u << (a & 31)) - 1) << (b & 31);
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
    {isa::SOP2_s_add_u32, Arithmetic32<AddUnsigned>},
    {isa::SOP2_s_sub_u32, Arithmetic32<SubtractUnsigned>},
    {isa::SOP2_s_add_i32, Arithmetic32<AddSigned>},
    {isa::SOP2_s_sub_i32, Arithmetic32<SubtractSigned>},
    {isa::SOP2_s_addc_u32, Arithmetic32<AddWithCarry>},
    {isa::SOP2_s_subb_u32, Arithmetic32<SubtractWithBorrow>},
    {isa::SOP2_s_min_i32, Arithmetic32<Choose<kLessSigned>>},
    {isa::SOP2_s_min_u32, Arithmetic32<Choose<kLessUnsigned>>},
    {isa::SOP2_s_max_i32, Arithmetic32<Choose<kMoreSigned>>},
    {isa::SOP2_s_max_u32, Arithmetic32<Choose<kMoreUnsigned>>},
    {isa::SOP2_s_cselect_b32, Arithmetic32<kSelect32>},
    {isa::SOP2_s_cselect_b64, Select64},
    {isa::SOP2_s_and_b32, Logic32<kAnd>},
    {isa::SOP2_s_and_b64, Logic64<kAnd>},
    {isa::SOP2_s_or_b32, Logic32<kOr>},
    {isa::SOP2_s_or_b64, Logic64<kOr>},
    {isa::SOP2_s_xor_b32, Logic32<kXor>},
    {isa::SOP2_s_xor_b64, Logic64<kXor>},
    {isa::SOP2_s_andn2_b32, Logic32<kAndNot>},
    {isa::SOP2_s_andn2_b64, Logic64<kAndNot>},
    {isa::SOP2_s_orn2_b32, Logic32<kOrNot>},
    {isa::SOP2_s_orn2_b64, Logic64<kOrNot>},
    {isa::SOP2_s_nand_b32, Logic32<kNand>},
    {isa::SOP2_s_nand_b64, Logic64<kNand>},
    {isa::SOP2_s_nor_b32, Logic32<kNor>},
    {isa::SOP2_s_nor_b64, Logic64<kNor>},
    {isa::SOP2_s_xnor_b32, Logic32<kXnor>},
    {isa::SOP2_s_xnor_b64, Logic64<kXnor>},
    {isa::SOP2_s_lshl_b32, Logic32<kShiftLeft32>},
    {isa::SOP2_s_lshl_b64, Shift64<kShiftLeft64>},
    {isa::SOP2_s_lshr_b32, Logic32<kShiftRight32>},
    {isa::SOP2_s_lshr_b64, Shift64<kShiftRight64>},
    {isa::SOP2_s_ashr_i32, Logic32<kShiftArithmetic32>},
    {isa::SOP2_s_ashr_i64, Shift64<kShiftArithmetic64>},
    {isa::SOP2_s_bfm_b32, Plain32<kBitFieldMask32>},
    {isa::SOP2_s_bfm_b64, BitFieldMask64},
    {isa::SOP2_s_mul_i32, Plain32<kMultiply>},
    {isa::SOP2_s_mul_hi_u32, Plain32<kMultiplyHighUnsigned>},
    {isa::SOP2_s_mul_hi_i32, Plain32<kMultiplyHighSigned>},
    {isa::SOP2_s_bfe_u32, Logic32<ExtractUnsigned32>},
    {isa::SOP2_s_bfe_i32, Logic32<ExtractSigned32>},
    {isa::SOP2_s_bfe_u64, Shift64<ExtractUnsigned64>},
    {isa::SOP2_s_bfe_i64, Shift64<ExtractSigned64>},
    {isa::SOP2_s_absdiff_i32, Logic32<AbsoluteDifference>},
    {isa::SOP2_s_lshl1_add_u32, Arithmetic32<ShiftAndAdd<1>>},
    {isa::SOP2_s_lshl2_add_u32, Arithmetic32<ShiftAndAdd<2>>},
    {isa::SOP2_s_lshl3_add_u32, Arithmetic32<ShiftAndAdd<3>>},
    {isa::SOP2_s_lshl4_add_u32, Arithmetic32<ShiftAndAdd<4>>},
    {isa::SOP2_s_pack_ll_b32_b16, Plain32<kPackLowLow>},
    {isa::SOP2_s_pack_lh_b32_b16, Plain32<kPackLowHigh>},
    {isa::SOP2_s_pack_hh_b32_b16, Plain32<kPackHighHigh>},
};

constexpr auto kTable = MakeTable<128>(kEntries);

}  // namespace

Handler FindSop2(uint16_t opcode) { return Find(kTable, opcode); }

}  // namespace vgpu
