// SPDX-License-Identifier: MIT
// SOP1: scalar operations with one source.
#include "vgpu/wave/bit_operations.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/opcodes.h"
#include "vgpu/wave/operands.h"

namespace vgpu {
namespace {

// SGPRs that relative addressing may reach: s0 to s101.
constexpr uint32_t kRelativeSgprs = kOperandFlatScratch;

enum class Scc : bool { kKeep, kNotZero };

void Write32(Wave& wave, uint32_t code, uint32_t value, Scc scc) {
  wave.sgpr[code] = value;
  if (scc == Scc::kNotZero) wave.scc = value != 0;
}

void Write64(Wave& wave, uint32_t code, uint64_t value, Scc scc) {
  wave.SetSgpr64(code, value);
  if (scc == Scc::kNotZero) wave.scc = value != 0;
}

// The names say the source's width, then the result's.
template <auto kOperation, Scc kScc>
bool From32To32(Wave& wave, const Instruction& in, ExecutionContext&) {
  Write32(wave, in.dst, kOperation(ReadScalar32(wave, in, in.src[0])), kScc);
  return true;
}

template <auto kOperation, Scc kScc>
bool From64To64(Wave& wave, const Instruction& in, ExecutionContext&) {
  Write64(wave, in.dst, kOperation(ReadScalar64(wave, in, in.src[0])), kScc);
  return true;
}

template <auto kOperation, Scc kScc>
bool From64To32(Wave& wave, const Instruction& in, ExecutionContext&) {
  Write32(wave, in.dst, kOperation(ReadScalar64(wave, in, in.src[0])), kScc);
  return true;
}

bool ConditionalMove32(Wave& wave, const Instruction& in, ExecutionContext&) {
  if (wave.scc) wave.sgpr[in.dst] = ReadScalar32(wave, in, in.src[0]);
  return true;
}

bool ConditionalMove64(Wave& wave, const Instruction& in, ExecutionContext&) {
  if (wave.scc) wave.SetSgpr64(in.dst, ReadScalar64(wave, in, in.src[0]));
  return true;
}

template <bool kValue>
bool SetBit32(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t bit = 1u << (ReadScalar32(wave, in, in.src[0]) & 31);
  const uint32_t old = wave.sgpr[in.dst];
  wave.sgpr[in.dst] = kValue ? old | bit : old & ~bit;
  return true;
}

template <bool kValue>
bool SetBit64(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint64_t bit = uint64_t{1} << (ReadScalar32(wave, in, in.src[0]) & 63);
  const uint64_t old = wave.Sgpr64(in.dst);
  wave.SetSgpr64(in.dst, kValue ? old | bit : old & ~bit);
  return true;
}

bool GetPc(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.SetSgpr64(in.dst, wave.pc);
  return true;
}

bool SetPc(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.pc = ReadScalar64(wave, in, in.src[0]) & ~uint64_t{3};
  return true;
}

// The return from a trap handler. Bits above the address hold the kind of trap.
bool ReturnFromTrap(Wave& wave, const Instruction& in, ExecutionContext&) {
  if (!wave.in_trap) return FailIllegal(wave, in, "not in a trap handler");
  constexpr uint64_t kAddressMask = 0xffff'ffff'fffc;
  wave.pc = ReadScalar64(wave, in, in.src[0]) & kAddressMask;
  wave.in_trap = false;
  return false;
}

bool SwapPc(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint64_t target = ReadScalar64(wave, in, in.src[0]) & ~uint64_t{3};
  wave.SetSgpr64(in.dst, wave.pc);
  wave.pc = target;
  return true;
}

// kOperation(source, exec) becomes EXEC, whose old value is the result.
template <auto kOperation>
bool SaveExec(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint64_t source = ReadScalar64(wave, in, in.src[0]);
  const uint64_t old = wave.exec();
  const uint64_t exec = kOperation(source, old);
  wave.SetSgpr64(in.dst, old);
  wave.set_exec(exec);
  wave.scc = exec != 0;
  return true;
}

// kOperation(source, exec) becomes EXEC and is the result.
template <auto kOperation>
bool WriteExec(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint64_t exec = kOperation(ReadScalar64(wave, in, in.src[0]), wave.exec());
  wave.set_exec(exec);
  Write64(wave, in.dst, exec, Scc::kNotZero);
  return true;
}

// A register number relative to M0. Past the last SGPR a source reads s0 and a result is dropped.
uint32_t Relative(const Wave& wave, uint32_t code) { return code + wave.m0(); }

bool MoveRelativeSource32(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t source = Relative(wave, in.src[0]);
  wave.sgpr[in.dst] = wave.sgpr[source < kRelativeSgprs ? source : 0];
  return true;
}

bool MoveRelativeSource64(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t source = Relative(wave, in.src[0]);
  wave.SetSgpr64(in.dst, wave.Sgpr64(source + 1 < kRelativeSgprs ? source : 0));
  return true;
}

bool MoveRelativeResult32(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t result = Relative(wave, in.dst);
  if (result < kRelativeSgprs) wave.sgpr[result] = ReadScalar32(wave, in, in.src[0]);
  return true;
}

bool MoveRelativeResult64(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t result = Relative(wave, in.dst);
  if (result + 1 < kRelativeSgprs) wave.SetSgpr64(result, ReadScalar64(wave, in, in.src[0]));
  return true;
}

bool SetGprIndex(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t index = ReadScalar32(wave, in, in.src[0]) & 0xff;
  wave.sgpr[kOperandM0] = (wave.m0() & ~0xffu) | index;
  return true;
}

bool ReplicateBits32(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.SetSgpr64(in.dst, ReplicateBits(ReadScalar32(wave, in, in.src[0])));
  return true;
}

constexpr auto kMove = [](auto a) { return a; };
constexpr auto kNot = [](auto a) { return ~a; };
constexpr auto kWholeQuads = [](auto a) { return WholeQuads(a); };
constexpr auto kQuadMask = [](auto a) { return QuadMask(a); };
constexpr auto kReverse = [](auto a) { return ReverseBits(a); };
constexpr auto kCountOnes = [](auto a) { return static_cast<uint32_t>(std::popcount(a)); };
constexpr auto kCountZeros = [](auto a) {
  return static_cast<uint32_t>(std::popcount(static_cast<decltype(a)>(~a)));
};
constexpr auto kFindZero = [](auto a) { return FindLowestOne(static_cast<decltype(a)>(~a)); };
constexpr auto kFindOne = [](auto a) { return FindLowestOne(a); };
constexpr auto kLeadingZeros = [](auto a) { return CountLeadingZeros(a); };
constexpr auto kLeadingSigns = [](auto a) { return CountLeadingSigns(a); };
constexpr auto kSignExtend8 = [](uint32_t a) { return SignExtendFrom(a, 8); };
constexpr auto kSignExtend16 = [](uint32_t a) { return SignExtendFrom(a, 16); };
constexpr auto kAbsolute = [](uint32_t a) { return Signed(a) < 0 ? 0 - a : a; };

constexpr auto kAnd = [](uint64_t s, uint64_t exec) { return s & exec; };
constexpr auto kOr = [](uint64_t s, uint64_t exec) { return s | exec; };
constexpr auto kXor = [](uint64_t s, uint64_t exec) { return s ^ exec; };
constexpr auto kAndNotExec = [](uint64_t s, uint64_t exec) { return s & ~exec; };
constexpr auto kOrNotExec = [](uint64_t s, uint64_t exec) { return s | ~exec; };
constexpr auto kNand = [](uint64_t s, uint64_t exec) { return ~(s & exec); };
constexpr auto kNor = [](uint64_t s, uint64_t exec) { return ~(s | exec); };
constexpr auto kXnor = [](uint64_t s, uint64_t exec) { return ~(s ^ exec); };
constexpr auto kNotAndExec = [](uint64_t s, uint64_t exec) { return ~s & exec; };
constexpr auto kNotOrExec = [](uint64_t s, uint64_t exec) { return ~s | exec; };

constexpr OpcodeHandler kEntries[] = {
    {isa::SOP1_s_mov_b32, From32To32<kMove, Scc::kKeep>},
    {isa::SOP1_s_mov_b64, From64To64<kMove, Scc::kKeep>},
    {isa::SOP1_s_cmov_b32, ConditionalMove32},
    {isa::SOP1_s_cmov_b64, ConditionalMove64},
    {isa::SOP1_s_not_b32, From32To32<kNot, Scc::kNotZero>},
    {isa::SOP1_s_not_b64, From64To64<kNot, Scc::kNotZero>},
    {isa::SOP1_s_wqm_b32, From32To32<kWholeQuads, Scc::kNotZero>},
    {isa::SOP1_s_wqm_b64, From64To64<kWholeQuads, Scc::kNotZero>},
    {isa::SOP1_s_brev_b32, From32To32<kReverse, Scc::kKeep>},
    {isa::SOP1_s_brev_b64, From64To64<kReverse, Scc::kKeep>},
    {isa::SOP1_s_bcnt0_i32_b32, From32To32<kCountZeros, Scc::kNotZero>},
    {isa::SOP1_s_bcnt0_i32_b64, From64To32<kCountZeros, Scc::kNotZero>},
    {isa::SOP1_s_bcnt1_i32_b32, From32To32<kCountOnes, Scc::kNotZero>},
    {isa::SOP1_s_bcnt1_i32_b64, From64To32<kCountOnes, Scc::kNotZero>},
    {isa::SOP1_s_ff0_i32_b32, From32To32<kFindZero, Scc::kKeep>},
    {isa::SOP1_s_ff0_i32_b64, From64To32<kFindZero, Scc::kKeep>},
    {isa::SOP1_s_ff1_i32_b32, From32To32<kFindOne, Scc::kKeep>},
    {isa::SOP1_s_ff1_i32_b64, From64To32<kFindOne, Scc::kKeep>},
    {isa::SOP1_s_flbit_i32_b32, From32To32<kLeadingZeros, Scc::kKeep>},
    {isa::SOP1_s_flbit_i32_b64, From64To32<kLeadingZeros, Scc::kKeep>},
    {isa::SOP1_s_flbit_i32, From32To32<kLeadingSigns, Scc::kKeep>},
    {isa::SOP1_s_flbit_i32_i64, From64To32<kLeadingSigns, Scc::kKeep>},
    {isa::SOP1_s_sext_i32_i8, From32To32<kSignExtend8, Scc::kKeep>},
    {isa::SOP1_s_sext_i32_i16, From32To32<kSignExtend16, Scc::kKeep>},
    {isa::SOP1_s_bitset0_b32, SetBit32<false>},
    {isa::SOP1_s_bitset0_b64, SetBit64<false>},
    {isa::SOP1_s_bitset1_b32, SetBit32<true>},
    {isa::SOP1_s_bitset1_b64, SetBit64<true>},
    {isa::SOP1_s_getpc_b64, GetPc},
    {isa::SOP1_s_setpc_b64, SetPc},
    {isa::SOP1_s_swappc_b64, SwapPc},
    {isa::SOP1_s_rfe_b64, ReturnFromTrap},
    {isa::SOP1_s_and_saveexec_b64, SaveExec<kAnd>},
    {isa::SOP1_s_or_saveexec_b64, SaveExec<kOr>},
    {isa::SOP1_s_xor_saveexec_b64, SaveExec<kXor>},
    {isa::SOP1_s_andn2_saveexec_b64, SaveExec<kAndNotExec>},
    {isa::SOP1_s_orn2_saveexec_b64, SaveExec<kOrNotExec>},
    {isa::SOP1_s_nand_saveexec_b64, SaveExec<kNand>},
    {isa::SOP1_s_nor_saveexec_b64, SaveExec<kNor>},
    {isa::SOP1_s_xnor_saveexec_b64, SaveExec<kXnor>},
    {isa::SOP1_s_quadmask_b32, From32To32<kQuadMask, Scc::kNotZero>},
    {isa::SOP1_s_quadmask_b64, From64To64<kQuadMask, Scc::kNotZero>},
    {isa::SOP1_s_movrels_b32, MoveRelativeSource32},
    {isa::SOP1_s_movrels_b64, MoveRelativeSource64},
    {isa::SOP1_s_movreld_b32, MoveRelativeResult32},
    {isa::SOP1_s_movreld_b64, MoveRelativeResult64},
    {isa::SOP1_s_abs_i32, From32To32<kAbsolute, Scc::kNotZero>},
    {isa::SOP1_s_set_gpr_idx_idx, SetGprIndex},
    {isa::SOP1_s_andn1_saveexec_b64, SaveExec<kNotAndExec>},
    {isa::SOP1_s_orn1_saveexec_b64, SaveExec<kNotOrExec>},
    {isa::SOP1_s_andn1_wrexec_b64, WriteExec<kNotAndExec>},
    {isa::SOP1_s_andn2_wrexec_b64, WriteExec<kAndNotExec>},
    {isa::SOP1_s_bitreplicate_b64_b32, ReplicateBits32},
};

constexpr auto kTable = MakeTable<256>(kEntries);

}  // namespace

Handler FindSop1(uint16_t opcode) { return Find(kTable, opcode); }

}  // namespace vgpu
