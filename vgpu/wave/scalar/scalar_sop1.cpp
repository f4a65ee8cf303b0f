// SPDX-License-Identifier: MIT
// SOP1: scalar operations with one source.
#include "vgpu/wave/bit_operations.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/operands.h"

namespace vgpu {
namespace {

// SGPRs that relative addressing may reach: s0 to s101.
constexpr uint32_t kRelativeSgprs = kOperandFlatScratch;

enum class Scc : bool { kKeep, kNotZero };

// T is the source; the operation decides how wide the result is.
template <auto kOperation, class T, Scc kScc>
bool Unary(Wave& wave, const Instruction& in, ExecutionContext&) {
  const auto result = kOperation(ReadSource<T>(wave, in, 0));
  WriteSgpr(wave, in.dst, result);
  if (kScc == Scc::kNotZero) wave.scc = result != 0;
  return true;
}

template <class T>
bool ConditionalMove(Wave& wave, const Instruction& in, ExecutionContext&) {
  if (wave.scc) WriteSgpr(wave, in.dst, ReadSource<T>(wave, in, 0));
  return true;
}

template <class T, bool kValue>
bool SetBit(Wave& wave, const Instruction& in, ExecutionContext&) {
  const T bit = T{1} << (ReadSource<uint32_t>(wave, in, 0) & (kBitsOf<T> - 1));
  const T old = ReadSgpr<T>(wave, in.dst);
  WriteSgpr<T>(wave, in.dst, kValue ? old | bit : old & ~bit);
  return true;
}

bool GetPc(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.SetSgpr64(in.dst, wave.pc);
  return true;
}

bool SetPc(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.pc = ReadSource<uint64_t>(wave, in, 0) & ~uint64_t{3};
  return true;
}

// The return from a trap handler. Bits above the address hold the kind of trap.
bool ReturnFromTrap(Wave& wave, const Instruction& in, ExecutionContext&) {
  if (!wave.in_trap) return FailIllegal(wave, in, "not in a trap handler");
  constexpr uint64_t kAddressMask = 0xffff'ffff'fffc;
  wave.pc = ReadSource<uint64_t>(wave, in, 0) & kAddressMask;
  wave.in_trap = false;
  return false;
}

bool SwapPc(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint64_t target = ReadSource<uint64_t>(wave, in, 0) & ~uint64_t{3};
  wave.SetSgpr64(in.dst, wave.pc);
  wave.pc = target;
  return true;
}

// kOperation(source, exec) becomes EXEC, whose old value is the result.
template <auto kOperation>
bool SaveExec(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint64_t source = ReadSource<uint64_t>(wave, in, 0);
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
  const uint64_t exec = kOperation(ReadSource<uint64_t>(wave, in, 0), wave.exec());
  wave.set_exec(exec);
  wave.SetSgpr64(in.dst, exec);
  wave.scc = exec != 0;
  return true;
}

// A register number relative to M0. Past the last SGPR a source reads s0 and a result is dropped.
uint32_t Relative(const Wave& wave, uint32_t code) { return code + wave.m0(); }

template <class T>
constexpr uint32_t kLastRelative = kRelativeSgprs - sizeof(T) / sizeof(uint32_t);

template <class T>
bool MoveRelativeSource(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t source = Relative(wave, in.src[0]);
  WriteSgpr(wave, in.dst, ReadSgpr<T>(wave, source <= kLastRelative<T> ? source : 0));
  return true;
}

template <class T>
bool MoveRelativeResult(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t result = Relative(wave, in.dst);
  if (result <= kLastRelative<T>) WriteSgpr(wave, result, ReadSource<T>(wave, in, 0));
  return true;
}

bool SetGprIndex(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t index = ReadSource<uint32_t>(wave, in, 0) & 0xff;
  wave.sgpr[kOperandM0] = (wave.m0() & ~0xffu) | index;
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

constexpr auto kNotAndExec = [](uint64_t s, uint64_t exec) { return ~s & exec; };
constexpr auto kNotOrExec = [](uint64_t s, uint64_t exec) { return ~s | exec; };

constexpr OpcodeHandler kEntries[] = {
    {isa::SOP1_s_mov_b32, Unary<kMove, uint32_t, Scc::kKeep>},
    {isa::SOP1_s_mov_b64, Unary<kMove, uint64_t, Scc::kKeep>},
    {isa::SOP1_s_cmov_b32, ConditionalMove<uint32_t>},
    {isa::SOP1_s_cmov_b64, ConditionalMove<uint64_t>},
    {isa::SOP1_s_not_b32, Unary<kNot, uint32_t, Scc::kNotZero>},
    {isa::SOP1_s_not_b64, Unary<kNot, uint64_t, Scc::kNotZero>},
    {isa::SOP1_s_wqm_b32, Unary<kWholeQuads, uint32_t, Scc::kNotZero>},
    {isa::SOP1_s_wqm_b64, Unary<kWholeQuads, uint64_t, Scc::kNotZero>},
    {isa::SOP1_s_brev_b32, Unary<kReverse, uint32_t, Scc::kKeep>},
    {isa::SOP1_s_brev_b64, Unary<kReverse, uint64_t, Scc::kKeep>},
    {isa::SOP1_s_bcnt0_i32_b32, Unary<kCountZeros, uint32_t, Scc::kNotZero>},
    {isa::SOP1_s_bcnt0_i32_b64, Unary<kCountZeros, uint64_t, Scc::kNotZero>},
    {isa::SOP1_s_bcnt1_i32_b32, Unary<kCountOnes, uint32_t, Scc::kNotZero>},
    {isa::SOP1_s_bcnt1_i32_b64, Unary<kCountOnes, uint64_t, Scc::kNotZero>},
    {isa::SOP1_s_ff0_i32_b32, Unary<kFindZero, uint32_t, Scc::kKeep>},
    {isa::SOP1_s_ff0_i32_b64, Unary<kFindZero, uint64_t, Scc::kKeep>},
    {isa::SOP1_s_ff1_i32_b32, Unary<kFindOne, uint32_t, Scc::kKeep>},
    {isa::SOP1_s_ff1_i32_b64, Unary<kFindOne, uint64_t, Scc::kKeep>},
    {isa::SOP1_s_flbit_i32_b32, Unary<kLeadingZeros, uint32_t, Scc::kKeep>},
    {isa::SOP1_s_flbit_i32_b64, Unary<kLeadingZeros, uint64_t, Scc::kKeep>},
    {isa::SOP1_s_flbit_i32, Unary<kLeadingSigns, uint32_t, Scc::kKeep>},
    {isa::SOP1_s_flbit_i32_i64, Unary<kLeadingSigns, uint64_t, Scc::kKeep>},
    {isa::SOP1_s_sext_i32_i8, Unary<kSignExtend8, uint32_t, Scc::kKeep>},
    {isa::SOP1_s_sext_i32_i16, Unary<kSignExtend16, uint32_t, Scc::kKeep>},
    {isa::SOP1_s_bitset0_b32, SetBit<uint32_t, false>},
    {isa::SOP1_s_bitset0_b64, SetBit<uint64_t, false>},
    {isa::SOP1_s_bitset1_b32, SetBit<uint32_t, true>},
    {isa::SOP1_s_bitset1_b64, SetBit<uint64_t, true>},
    {isa::SOP1_s_getpc_b64, GetPc},
    {isa::SOP1_s_setpc_b64, SetPc},
    {isa::SOP1_s_swappc_b64, SwapPc},
    {isa::SOP1_s_rfe_b64, ReturnFromTrap},
    {isa::SOP1_s_and_saveexec_b64, SaveExec<kAnd>},
    {isa::SOP1_s_or_saveexec_b64, SaveExec<kOr>},
    {isa::SOP1_s_xor_saveexec_b64, SaveExec<kXor>},
    {isa::SOP1_s_andn2_saveexec_b64, SaveExec<kAndNot>},
    {isa::SOP1_s_orn2_saveexec_b64, SaveExec<kOrNot>},
    {isa::SOP1_s_nand_saveexec_b64, SaveExec<kNand>},
    {isa::SOP1_s_nor_saveexec_b64, SaveExec<kNor>},
    {isa::SOP1_s_xnor_saveexec_b64, SaveExec<kXnor>},
    {isa::SOP1_s_quadmask_b32, Unary<kQuadMask, uint32_t, Scc::kNotZero>},
    {isa::SOP1_s_quadmask_b64, Unary<kQuadMask, uint64_t, Scc::kNotZero>},
    {isa::SOP1_s_movrels_b32, MoveRelativeSource<uint32_t>},
    {isa::SOP1_s_movrels_b64, MoveRelativeSource<uint64_t>},
    {isa::SOP1_s_movreld_b32, MoveRelativeResult<uint32_t>},
    {isa::SOP1_s_movreld_b64, MoveRelativeResult<uint64_t>},
    {isa::SOP1_s_abs_i32, Unary<kAbsolute, uint32_t, Scc::kNotZero>},
    {isa::SOP1_s_set_gpr_idx_idx, SetGprIndex},
    {isa::SOP1_s_andn1_saveexec_b64, SaveExec<kNotAndExec>},
    {isa::SOP1_s_orn1_saveexec_b64, SaveExec<kNotOrExec>},
    {isa::SOP1_s_andn1_wrexec_b64, WriteExec<kNotAndExec>},
    {isa::SOP1_s_andn2_wrexec_b64, WriteExec<kAndNot>},
    {isa::SOP1_s_bitreplicate_b64_b32, Unary<ReplicateBits, uint32_t, Scc::kKeep>},
};

constexpr auto kTable = MakeTable<256>(kEntries);

}  // namespace

Handler FindSop1(uint16_t opcode) { return Find(kTable, opcode); }

}  // namespace vgpu
