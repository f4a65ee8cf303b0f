// SPDX-License-Identifier: MIT
// instruction.h: one decoded gfx9 instruction.
//
// Decode() fills it once per code address; the wave loop keeps it in a cache and calls `handler`.
// Plain data: copied freely, never owns anything.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vgpu {

struct ExecutionContext;
struct Instruction;
struct Wave;

// Executes one instruction. False: the wave loop has to check the wave: it faulted (wave.fault says
// why), ended, waits at a barrier or yields to others.
using Handler = bool (*)(Wave&, const Instruction&, ExecutionContext&);

enum class Format : uint8_t {
  kSop2,
  kSopk,
  kSop1,
  kSopc,
  kSopp,
  kSmem,
  kVector,  // VOPC, VOP2, VOP1 and VOP3 under VOP3's numbers: VOPC + 0, VOP2 + 0x100, VOP1 + 0x140
  kVop3p,   // under the low 7 bits of the VOP3 number
  kDs,
  kFlat,
  kMubuf,
  kUnknown,
};

// The kind as which the hardware counters count an instruction.
enum class InstructionClass : uint8_t {
  kVector,
  kScalar,
  kScalarMemory,
  kLds,
  kBufferRead,   // MUBUF: loads, and atomics that return
  kBufferWrite,  // stores, and atomics that do not return
  kGlobalRead,   // the same for global_* and scratch_*
  kGlobalWrite,
  kFlatRead,  // the same for flat_*, which may go to local memory
  kFlatWrite,
  kGds,
  kBranch,
  kMessage,  // the end of the program, too
  kOther,
  // Vector instructions that gfx90a counts by their type as well.
  kAddF16,
  kAddF32,
  kAddF64,
  kMulF16,
  kMulF32,
  kMulF64,
  kFmaF16,
  kFmaF32,
  kFmaF64,
  kTransF16,
  kTransF32,
  kTransF64,
  kConvert,
  kMatrixI8,
  kMatrixF16,
  kMatrixBf16,
  kMatrixF32,
  kMatrixF64,
  kMatrixF8,
};
constexpr size_t kInstructionClasses = static_cast<size_t>(InstructionClass::kMatrixF8) + 1;

constexpr bool IsVector(InstructionClass counted_as) {
  return counted_as == InstructionClass::kVector || counted_as > InstructionClass::kOther;
}

// Operand codes of gfx9, as they occur in the source fields.
constexpr uint16_t kOperandFlatScratch = 102;
constexpr uint16_t kOperandXnackMask = 104;
constexpr uint16_t kOperandVcc = 106;
constexpr uint16_t kOperandTtmp = 108;  // ttmp0 to ttmp15
constexpr uint16_t kOperandM0 = 124;
constexpr uint16_t kOperandExec = 126;
constexpr uint16_t kOperandInlineFirst = 128;
constexpr uint16_t kOperandSharedBase = 235;
constexpr uint16_t kOperandPrivateLimit = 238;
constexpr uint16_t kOperandFloatFirst = 240;
constexpr uint16_t kOperandInlineLast = 248;
constexpr uint16_t kOperandSdwa = 249;
constexpr uint16_t kOperandDpp = 250;
constexpr uint16_t kOperandVccz = 251;
constexpr uint16_t kOperandExecz = 252;
constexpr uint16_t kOperandScc = 253;
constexpr uint16_t kOperandLiteral = 255;
constexpr uint16_t kOperandVgprFirst = 256;

// FLAT's segment field.
enum class Segment : uint8_t { kFlat = 0, kScratch = 1, kGlobal = 2 };

struct Instruction {
  Handler handler = nullptr;
  uint32_t words[2] = {};  // the code it was decoded from; words[1] is 0 in a one-dword instruction
  uint32_t literal = 0;
  uint16_t opcode = 0;
  Format format = Format::kUnknown;
  InstructionClass counted_as = InstructionClass::kOther;
  uint8_t dwords = 1;

  // Scalar and vector formats. Sources are operand codes, 256 and up are VGPRs. VOP2's carry and
  // v_cndmask read src[2], which is VCC unless the instruction is VOP3.
  uint16_t src[3] = {};
  uint16_t dst = 0;       // vector register, or the SGPR code of a scalar or compare result
  uint8_t sdst = 0;       // SGPR code of VOP3B's carry-out (VCC in VOP2)
  int32_t immediate = 0;  // SOPK and SOPP: the signed 16-bit field

  // Vector modifiers. Bit i of each mask belongs to src[i].
  uint8_t neg = 0;
  uint8_t abs = 0;
  uint8_t op_sel = 0;     // VOP3 and VOP3P; bit 3 is the destination's (VOP3)
  uint8_t op_sel_hi = 0;  // VOP3P
  uint8_t neg_hi = 0;     // VOP3P
  uint8_t omod = 0;       // 0 none, 1 *2, 2 *4, 3 /2
  bool clamp = false;
  bool is_vop3 = false;
  bool is_sdwa = false;
  bool is_dpp = false;
  uint32_t control = 0;  // the SDWA or DPP dword as it is in the code

  // Memory formats.
  int32_t offset = 0;   // byte offset, sign-extended where the format has a sign; SMEM: immediate
  uint8_t offset1 = 0;  // DS: second offset of the two-address instructions (the first: offset0)
  uint8_t offset0 = 0;
  uint8_t vaddr = 0;
  uint16_t vdata = 0;   // vector register; DS: data0
  uint16_t vdata1 = 0;  // DS: data1
  uint8_t saddr = 0;    // FLAT: SGPR pair or 0x7f; MUBUF: first SGPR of the descriptor; SMEM: base
  uint8_t soffset = 0;  // MUBUF: operand code; SMEM: SGPR code when has_soffset
  Segment segment = Segment::kFlat;
  bool glc = false;
  bool offen = false;
  bool idxen = false;
  bool lds = false;         // FLAT, MUBUF: load straight into LDS
  bool uses_vaddr = false;  // FLAT on gfx942: private memory is at a vector address, too
  bool tfe = false;
  bool gds = false;
  bool has_soffset = false;
};

// SDWA control dword.
constexpr uint32_t SdwaDstSel(const Instruction& i) { return i.control >> 8 & 7; }
constexpr uint32_t SdwaDstUnused(const Instruction& i) { return i.control >> 11 & 3; }
constexpr uint32_t SdwaSrcSel(const Instruction& i, int source) {
  return i.control >> (source == 0 ? 16 : 24) & 7;
}
constexpr bool SdwaSrcSext(const Instruction& i, int source) {
  return i.control >> (source == 0 ? 19 : 27) & 1;
}

// DPP control dword.
constexpr uint32_t DppControl(const Instruction& i) { return i.control >> 8 & 0x1ff; }
constexpr bool DppBoundControl(const Instruction& i) { return i.control >> 19 & 1; }
constexpr uint32_t DppBankMask(const Instruction& i) { return i.control >> 24 & 0xf; }
constexpr uint32_t DppRowMask(const Instruction& i) { return i.control >> 28 & 0xf; }

}  // namespace vgpu
