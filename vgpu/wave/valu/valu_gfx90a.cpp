// SPDX-License-Identifier: MIT
// The vector instructions of gfx90a, and its other additions to gfx906 (gfx90a.h).
//
// A packed float32 instruction is its scalar formula twice, on registers of the pairs: op_sel picks
// those of the low result, op_sel_hi those of the high one. A constant is the same in both.
#include <atomic>
#include <cmath>
#include <cstdint>

#include "spec/isa/gfx90a_opcodes.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu {
namespace {

namespace isa90a = ::isa::gfx90a;
using valu::HandlersOf;
using valu::LaneRow;
using valu::LaneSet;

constexpr int kAsModelled = -1;
std::atomic<int> g_sram_ecc{kAsModelled};

// The instruction as seen by one of the two results.
Instruction PairView(const Instruction& instruction, bool high) {
  Instruction view = instruction;
  const uint8_t select = high ? instruction.op_sel_hi : instruction.op_sel;
  for (int i = 0; i < 3; ++i) {
    const uint16_t code = view.src[i];
    const bool is_register = code >= kOperandVgprFirst || code < kOperandInlineFirst;
    if (is_register && (select >> i & 1) != 0) ++view.src[i];
  }
  view.neg = high ? instruction.neg_hi : instruction.neg;
  view.abs = 0;
  view.op_sel = 0;
  return view;
}

// Stores the results of the formula on two views of an instruction in a pair of registers.
template <auto formula>
bool StorePair(Wave& wave, const Instruction& low_view, const Instruction& high_view) {
  using Single = HandlersOf<formula>;
  const uint64_t mask = wave.exec();
  LaneRow low;
  LaneRow high;
  Single::template Finished<LaneSet::kAll>(wave, low_view, mask, &low, nullptr);
  Single::template Finished<LaneSet::kAll>(wave, high_view, mask, &high, nullptr);
  valu::StoreLanes(wave, low_view.dst, low.lane, mask);
  valu::StoreLanes(wave, (low_view.dst + 1) & (kVgprs - 1), high.lane, mask);
  return true;
}

template <auto formula>
bool PackedPair(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  return StorePair<formula>(wave, PairView(instruction, false), PairView(instruction, true));
}

// The low result is a register of the first pair, the high one of the second.
bool PackedMove(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  Instruction low = PairView(instruction, false);
  low.neg = 0;
  Instruction high = low;
  high.src[0] = low.src[1];
  return StorePair<[](uint32_t value) { return value; }>(wave, low, high);
}

// v_fmac_f64: the destination is also the third operand.
bool FusedMultiplyAdd64(Wave& wave, const Instruction& instruction, ExecutionContext& context) {
  Instruction view = instruction;
  view.src[2] = kOperandVgprFirst + instruction.dst;
  return valu::Map<[](double a, double b, double c) { return std::fma(a, b, c); }>(wave, view,
                                                                                   context);
}

// Moves between vector and accumulation registers. In these instructions the code of a source does
// not say to which of the two kinds the register belongs.
template <bool kFromAccumulators, bool kToAccumulators>
bool MoveAccumulator(Wave& wave, const Instruction& instruction, ExecutionContext& context) {
  Instruction view = instruction;
  view.neg = 0;
  view.op_sel = 0;
  if (kToAccumulators) view.dst += kVgprs;
  if (kFromAccumulators) {
    const uint32_t* row = wave.vgpr[instruction.src[0] - kOperandVgprFirst + kVgprs];
    valu::StoreLanes(wave, view.dst, row, wave.exec());
    return true;
  }
  return valu::Map<[](uint32_t value) { return value; }>(wave, view, context);
}

constexpr OpcodeHandler kPackedEntries[] = {
    {isa90a::VOP3P_v_pk_fma_f32,
     PackedPair<[](float a, float b, float c) { return std::fma(a, b, c); }>},
    {isa90a::VOP3P_v_pk_mul_f32, PackedPair<[](float a, float b) { return a * b; }>},
    {isa90a::VOP3P_v_pk_add_f32, PackedPair<[](float a, float b) { return a + b; }>},
    {isa90a::VOP3P_v_pk_mov_b32, PackedMove},
    {isa90a::VOP3P_v_accvgpr_read_b32, MoveAccumulator<true, false>},
    {isa90a::VOP3P_v_accvgpr_write_b32, MoveAccumulator<false, true>},
};
constexpr auto kPackedTable = MakeTable<128>(kPackedEntries);

Handler FindVector90a(uint16_t opcode) {
  if (opcode == isa90a::V_v_accvgpr_mov_b32) return MoveAccumulator<true, true>;
  if (opcode == isa90a::V_v_fmac_f64) return FusedMultiplyAdd64;
  if (opcode == isa90a::V_v_mul_legacy_f32) {
    return FindVector(isa::V_v_mul_legacy_f32);  // gfx906 has it under another number
  }
  for (const OpcodeHandler& entry : valu::AccumulatingHandlers()) {
    if (entry.opcode == opcode) return entry.handler;
  }
  return nullptr;
}

}  // namespace

bool HasSramEcc() {
  static const bool configured = GetGpuModel().sram_ecc;
  const int forced = g_sram_ecc.load(std::memory_order_relaxed);
  return forced == kAsModelled ? configured : forced != 0;
}

ScopedSramEcc::ScopedSramEcc(bool on) { g_sram_ecc.store(on ? 1 : 0, std::memory_order_relaxed); }
ScopedSramEcc::~ScopedSramEcc() { g_sram_ecc.store(kAsModelled, std::memory_order_relaxed); }

bool ReplacesOnGfx90a(Format format, uint16_t opcode) {
  return FindGfx90a(format, Segment::kFlat, opcode) != nullptr;
}

Handler FindGfx90a(Format format, Segment, uint16_t opcode) {
  switch (format) {
    case Format::kVector:
      return FindVector90a(opcode);
    case Format::kVop3p:
      if (const Handler handler = Find(kPackedTable, opcode)) return handler;
      return FindMatrix(opcode);
    case Format::kMubuf:
      return opcode == isa90a::MUBUF_buffer_wbl2 || opcode == isa90a::MUBUF_buffer_invl2
                 ? NoOperation
                 : nullptr;
    default:
      return nullptr;
  }
}

void FinishGfx90a(Instruction* instruction) {
  constexpr uint32_t kOfDs = 1u << 25;      // of the first dword
  constexpr uint32_t kOfMemory = 1u << 23;  // of the second; gfx906's TFE
  bool accumulators = false;
  switch (instruction->format) {
    case Format::kDs:
      accumulators = (instruction->words[0] & kOfDs) != 0;
      break;
    case Format::kFlat:
    case Format::kMubuf:
      accumulators = (instruction->words[1] & kOfMemory) != 0;
      instruction->tfe = false;
      break;
    default:
      return;
  }
  if (!accumulators) return;
  instruction->dst += kVgprs;
  instruction->vdata += kVgprs;
  instruction->vdata1 += kVgprs;
}

}  // namespace vgpu
