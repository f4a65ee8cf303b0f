// SPDX-License-Identifier: MIT
#include "vgpu/wave/decode.h"

#include "vgpu/wave/bit_operations.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/memory/vector_memory.h"
#include "vgpu/wave/operands.h"
#include "vgpu/wave/vector_types.h"

namespace vgpu {
namespace {

constexpr int32_t SignExtend(uint32_t value, int bits) {
  return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}

// The leading bits that tell the formats apart.
constexpr uint32_t kSop1Prefix = 0x17d;  // 9 bits
constexpr uint32_t kSopcPrefix = 0x17e;
constexpr uint32_t kSoppPrefix = 0x17f;
constexpr uint32_t kSopkPrefix = 0xb;   // 4 bits
constexpr uint32_t kSmemPrefix = 0x30;  // 6 bits
constexpr uint32_t kVop3Prefix = 0x34;
constexpr uint32_t kDsPrefix = 0x36;
constexpr uint32_t kFlatPrefix = 0x37;
constexpr uint32_t kMubufPrefix = 0x38;

// Opcode fields of VOP2 that stand for VOPC and VOP1, and where the formats start in VOP3's
// numbering.
constexpr uint32_t kVop2IsVopc = 0x3e;
constexpr uint32_t kVop2IsVop1 = 0x3f;
constexpr uint16_t kVop2Base = 0x100;
constexpr uint16_t kVop1Base = 0x140;
constexpr uint16_t kVop3pBase = 0x380;

// VOP1, VOP2 and VOPC are kVector here, and VOP3 with VOP3P is kVop3p.
Format EncodingOf(uint32_t word) {
  if (word >> 31 == 0) return Format::kVector;
  if (word >> 30 == 2) {
    const uint32_t prefix = word >> 23;
    if (prefix == kSop1Prefix) return Format::kSop1;
    if (prefix == kSopcPrefix) return Format::kSopc;
    if (prefix == kSoppPrefix) return Format::kSopp;
    return word >> 28 == kSopkPrefix ? Format::kSopk : Format::kSop2;
  }
  switch (word >> 26) {
    case kSmemPrefix:
      return Format::kSmem;
    case kVop3Prefix:
      return Format::kVop3p;
    case kDsPrefix:
      return Format::kDs;
    case kFlatPrefix:
      return Format::kFlat;
    case kMubufPrefix:
      return Format::kMubuf;
    default:
      return Format::kUnknown;
  }
}

bool Vop2HasLiteral(uint16_t opcode) {
  return opcode == isa::V_v_madmk_f32 || opcode == isa::V_v_madak_f32 ||
         opcode == isa::V_v_madmk_f16 || opcode == isa::V_v_madak_f16;
}

bool Vop2HasSecondDword(uint32_t word) {
  const uint32_t source = Bits(word, 0, 9);
  if (source == kOperandLiteral || source == kOperandSdwa || source == kOperandDpp) return true;
  return Vop2HasLiteral(kVop2Base + Bits(word, 25, 6));
}

// VOP3B: bits 8-14 are a carry-out register instead of modifiers.
bool HasScalarResult(uint16_t opcode) {
  switch (opcode) {
    case isa::V_v_add_co_u32:
    case isa::V_v_sub_co_u32:
    case isa::V_v_subrev_co_u32:
    case isa::V_v_addc_co_u32:
    case isa::V_v_subb_co_u32:
    case isa::V_v_subbrev_co_u32:
    case isa::V_v_div_scale_f32:
    case isa::V_v_div_scale_f64:
    case isa::V_v_mad_u64_u32:
    case isa::V_v_mad_i64_i32:
      return true;
    default:
      return false;
  }
}

void DecodeSop2(uint32_t word, Instruction* out) {
  out->opcode = Bits(word, 23, 7);
  out->dst = Bits(word, 16, 7);
  out->src[0] = Bits(word, 0, 8);
  out->src[1] = Bits(word, 8, 8);
}

void DecodeSopk(uint32_t word, Instruction* out) {
  out->opcode = Bits(word, 23, 5);
  out->dst = Bits(word, 16, 7);
  out->immediate = SignExtend(Bits(word, 0, 16), 16);
}

void DecodeSop1(uint32_t word, Instruction* out) {
  out->opcode = Bits(word, 8, 8);
  out->dst = Bits(word, 16, 7);
  out->src[0] = Bits(word, 0, 8);
}

void DecodeSopc(uint32_t word, Instruction* out) {
  out->opcode = Bits(word, 16, 7);
  out->src[0] = Bits(word, 0, 8);
  out->src[1] = Bits(word, 8, 8);
}

void DecodeSopp(uint32_t word, Instruction* out) {
  out->opcode = Bits(word, 16, 7);
  out->immediate = SignExtend(Bits(word, 0, 16), 16);
}

void DecodeSdwa(bool is_vopc, Instruction* out) {
  const uint32_t control = out->control;
  out->is_sdwa = true;
  out->src[0] = Bits(control, 0, 8) + (Bits(control, 23, 1) ? 0 : kOperandVgprFirst);
  if (Bits(control, 31, 1)) out->src[1] -= kOperandVgprFirst;
  out->abs = Bits(control, 21, 1) | Bits(control, 29, 1) << 1;
  out->neg = Bits(control, 20, 1) | Bits(control, 28, 1) << 1;
  if (!is_vopc) {
    out->clamp = Bits(control, 13, 1);
    out->omod = Bits(control, 14, 2);
  } else if (Bits(control, 15, 1)) {
    out->dst = Bits(control, 8, 7);
    out->sdst = out->dst;
  }
}

void DecodeDpp(Instruction* out) {
  const uint32_t control = out->control;
  out->is_dpp = true;
  out->src[0] = kOperandVgprFirst + Bits(control, 0, 8);
  out->abs = Bits(control, 21, 1) | Bits(control, 23, 1) << 1;
  out->neg = Bits(control, 20, 1) | Bits(control, 22, 1) << 1;
}

void DecodeVop2(uint32_t word, uint32_t second, Instruction* out) {
  const uint32_t field = Bits(word, 25, 6);
  const bool is_vopc = field == kVop2IsVopc;
  out->src[0] = Bits(word, 0, 9);
  out->src[1] = kOperandVgprFirst + Bits(word, 9, 8);
  out->src[2] = kOperandVcc;
  out->dst = Bits(word, 17, 8);
  out->sdst = kOperandVcc;
  if (field == kVop2IsVop1) {
    out->opcode = kVop1Base + Bits(word, 9, 8);
    out->src[1] = 0;
  } else if (is_vopc) {
    out->opcode = Bits(word, 17, 8);
    out->dst = kOperandVcc;
  } else {
    out->opcode = kVop2Base + field;
  }
  if (out->src[0] == kOperandSdwa) {
    out->control = second;
    DecodeSdwa(is_vopc, out);
  } else if (out->src[0] == kOperandDpp) {
    out->control = second;
    DecodeDpp(out);
  }
}

void DecodeVop3(uint32_t word, uint32_t second, Instruction* out) {
  out->opcode = Bits(word, 16, 10);
  out->is_vop3 = true;
  out->dst = Bits(word, 0, 8);
  out->src[0] = Bits(second, 0, 9);
  out->src[1] = Bits(second, 9, 9);
  out->src[2] = Bits(second, 18, 9);
  out->neg = Bits(second, 29, 3);
  out->clamp = Bits(word, 15, 1);
  if (out->opcode >= kVop3pBase) {
    out->opcode -= kVop3pBase;
    out->neg_hi = Bits(word, 8, 3);
    out->op_sel = Bits(word, 11, 3);
    out->op_sel_hi = Bits(second, 27, 2) | Bits(word, 14, 1) << 2;
    return;
  }
  out->format = Format::kVector;
  out->omod = Bits(second, 27, 2);
  if (HasScalarResult(out->opcode)) {
    out->sdst = Bits(word, 8, 7);
  } else {
    out->abs = Bits(word, 8, 3);
    out->op_sel = Bits(word, 11, 4);
  }
}

void DecodeSmem(uint32_t word, uint32_t second, Instruction* out) {
  out->opcode = Bits(word, 18, 8);
  out->saddr = Bits(word, 0, 6) << 1;
  out->dst = Bits(word, 6, 7);
  out->glc = Bits(word, 16, 1);
  const bool immediate = Bits(word, 17, 1);
  const bool soffset_enable = Bits(word, 14, 1);
  if (immediate) out->offset = SignExtend(Bits(second, 0, 21), 21);
  if (soffset_enable) {
    out->has_soffset = true;
    out->soffset = Bits(second, 25, 7);
  } else if (!immediate) {
    out->has_soffset = true;
    out->soffset = Bits(second, 0, 7);
  }
}

void DecodeDs(uint32_t word, uint32_t second, Instruction* out) {
  out->opcode = Bits(word, 17, 8);
  out->gds = Bits(word, 16, 1);
  out->offset = Bits(word, 0, 16);
  out->offset0 = Bits(word, 0, 8);
  out->offset1 = Bits(word, 8, 8);
  out->vaddr = Bits(second, 0, 8);
  out->vdata = Bits(second, 8, 8);
  out->vdata1 = Bits(second, 16, 8);
  out->dst = Bits(second, 24, 8);
}

void DecodeFlat(uint32_t word, uint32_t second, Instruction* out) {
  out->opcode = Bits(word, 18, 7);
  out->segment = static_cast<Segment>(Bits(word, 14, 2));
  out->glc = Bits(word, 16, 1);
  out->lds = Bits(word, 13, 1);
  out->offset = out->segment == Segment::kFlat ? static_cast<int32_t>(Bits(word, 0, 12))
                                               : SignExtend(Bits(word, 0, 13), 13);
  out->vaddr = Bits(second, 0, 8);
  out->vdata = Bits(second, 8, 8);
  out->saddr = Bits(second, 16, 7);
  out->dst = Bits(second, 24, 8);
}

void DecodeMubuf(uint32_t word, uint32_t second, Instruction* out) {
  out->opcode = Bits(word, 18, 7);
  out->offset = Bits(word, 0, 12);
  out->offen = Bits(word, 12, 1);
  out->idxen = Bits(word, 13, 1);
  out->glc = Bits(word, 14, 1);
  out->lds = Bits(word, 16, 1);
  out->vaddr = Bits(second, 0, 8);
  out->vdata = Bits(second, 8, 8);
  out->dst = out->vdata;
  out->saddr = Bits(second, 16, 5) << 2;
  out->tfe = Bits(second, 23, 1);
  out->soffset = Bits(second, 24, 8);
}

bool ReservedOperand(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  return FailIllegal(wave, instruction, "reserved operand code");
}

bool UnsupportedMode(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  return FailIllegal(wave, instruction, "GDS, TFE and this load into LDS are not implemented");
}

// Global wave sync is the only part of GDS that is modelled.
bool HasUnsupportedMode(const Instruction& instruction) {
  if (instruction.tfe) return true;
  return instruction.gds && FindDsGws(instruction.opcode) == nullptr;
}

Handler FindToLds(const Instruction& instruction) {
  if (instruction.format == Format::kMubuf) return FindMubufToLds(instruction.opcode);
  return FindFlatToLds(instruction.segment, instruction.opcode);
}

bool UnknownInstruction(Wave& wave, const Instruction& instruction, ExecutionContext&) {
  return FailIllegal(wave, instruction, "not implemented");
}

// How many sources of a scalar or vector instruction are operand codes. The other sources are
// absent.
int SourceCount(const Instruction& instruction) {
  switch (instruction.format) {
    case Format::kSop1:
      return 1;
    case Format::kSop2:
    case Format::kSopc:
      return 2;
    case Format::kVector:
      return instruction.is_vop3 ? 3 : 2;
    case Format::kVop3p:
      return 3;
    default:
      return 0;
  }
}

bool OperandsAreValid(const Instruction& instruction) {
  const int sources = SourceCount(instruction);
  for (int i = 0; i < sources; ++i) {
    const uint16_t code = instruction.src[i];
    if (code >= kOperandVgprFirst) continue;
    if (!IsScalarOperand(code)) return false;
    if (code == kOperandLiteral && instruction.is_vop3) return false;
  }
  if (instruction.format == Format::kMubuf) return IsScalarOperand(instruction.soffset);
  return true;
}

// Atomics that return nothing count as stores.
bool IsVectorWrite(const Instruction& instruction) {
  if (IsAtomic(instruction.opcode)) return !instruction.glc;
  return IsStore(instruction);
}

InstructionClass SoppClassOf(uint16_t opcode) {
  if (opcode == isa::SOPP_s_branch ||
      (opcode >= isa::SOPP_s_cbranch_scc0 && opcode <= isa::SOPP_s_cbranch_execnz))
    return InstructionClass::kBranch;
  return opcode == isa::SOPP_s_sendmsg || opcode == isa::SOPP_s_sendmsghalt ||
                 opcode == isa::SOPP_s_endpgm
             ? InstructionClass::kMessage
             : InstructionClass::kOther;
}

InstructionClass ClassOf(const Instruction& instruction) {
  switch (instruction.format) {
    case Format::kVector:
    case Format::kVop3p:
      return VectorClassOf(instruction.format, instruction.opcode);
    case Format::kSop2:
    case Format::kSopk:
    case Format::kSop1:
    case Format::kSopc:
      return InstructionClass::kScalar;
    case Format::kSmem:
      return InstructionClass::kScalarMemory;
    case Format::kDs:
      return instruction.gds ? InstructionClass::kGds : InstructionClass::kLds;
    case Format::kFlat:
      if (instruction.segment == Segment::kFlat) {
        return IsVectorWrite(instruction) ? InstructionClass::kFlatWrite
                                          : InstructionClass::kFlatRead;
      }
      return IsVectorWrite(instruction) ? InstructionClass::kGlobalWrite
                                        : InstructionClass::kGlobalRead;
    case Format::kMubuf:
      return IsVectorWrite(instruction) ? InstructionClass::kBufferWrite
                                        : InstructionClass::kBufferRead;
    case Format::kSopp:
      return SoppClassOf(instruction.opcode);
    default:
      return InstructionClass::kOther;
  }
}

void DecodeFields(uint32_t first, uint32_t second, Instruction* out) {
  out->format = EncodingOf(first);
  switch (out->format) {
    case Format::kVector:
      return DecodeVop2(first, second, out);
    case Format::kVop3p:
      return DecodeVop3(first, second, out);
    case Format::kSop2:
      return DecodeSop2(first, out);
    case Format::kSopk:
      return DecodeSopk(first, out);
    case Format::kSop1:
      return DecodeSop1(first, out);
    case Format::kSopc:
      return DecodeSopc(first, out);
    case Format::kSopp:
      return DecodeSopp(first, out);
    case Format::kSmem:
      return DecodeSmem(first, second, out);
    case Format::kDs:
      return DecodeDs(first, second, out);
    case Format::kFlat:
      return DecodeFlat(first, second, out);
    case Format::kMubuf:
      return DecodeMubuf(first, second, out);
    case Format::kUnknown:
      return;
  }
}

// Calls `finish` of each extended ISA before that of the ISA that extends it.
void Finish(const Isa& isa, Instruction* instruction) {
  if (isa.extends == nullptr) return;
  Finish(*isa.extends, instruction);
  isa.finish(instruction);
}

}  // namespace

int EncodedDwords(uint32_t word) {
  switch (EncodingOf(word)) {
    case Format::kVector:
      return Vop2HasSecondDword(word) ? 2 : 1;
    case Format::kSop1:
      return Bits(word, 0, 8) == kOperandLiteral ? 2 : 1;
    case Format::kSop2:
    case Format::kSopc:
      return Bits(word, 0, 8) == kOperandLiteral || Bits(word, 8, 8) == kOperandLiteral ? 2 : 1;
    case Format::kSopk:
      return Bits(word, 23, 5) == isa::SOPK_s_setreg_imm32_b32 ? 2 : 1;
    case Format::kSopp:
    case Format::kUnknown:
      return 1;
    default:
      return 2;
  }
}

const char* WhyNotExecuted(const Instruction& instruction) {
  if (instruction.handler == UnknownInstruction) return "not implemented";
  if (instruction.handler == ReservedOperand) return "reserved operand code";
  if (instruction.handler == UnsupportedMode) return "GDS, TFE, or a load into LDS";
  return nullptr;
}

Instruction Decode(uint32_t first, uint32_t second) {
  Instruction out;
  out.dwords = EncodedDwords(first);
  out.words[0] = first;
  out.words[1] = out.dwords == 2 ? second : 0;
  out.literal = out.words[1];
  DecodeFields(first, out.words[1], &out);
  Finish(GetIsa(), &out);
  out.counted_as = ClassOf(out);
  if (!OperandsAreValid(out)) {
    out.handler = ReservedOperand;
    return out;
  }
  if (HasUnsupportedMode(out)) {
    out.handler = UnsupportedMode;
    return out;
  }
  if (out.lds) {
    out.handler = FindToLds(out);
    if (out.handler == nullptr) out.handler = UnsupportedMode;
    return out;
  }
  out.handler = FindHandler(out.format, out.segment, out.opcode);
  if (out.handler == nullptr) out.handler = UnknownInstruction;
  return out;
}

}  // namespace vgpu
