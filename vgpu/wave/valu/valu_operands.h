// SPDX-License-Identifier: MIT
// valu_operands.h: source rows, lane masks and destination rows of vector instructions.
//
// A source is passed to the formulas as 64 contiguous values. A plain VGPR is used directly; other
// sources (constants, negation, SDWA, DPP, flushing) are prepared in the caller's scratch row.
// Threads    any; touches only the wave and the arguments
// Errors     none; an encoding that cannot be executed fails in ControlsAreValid
#pragma once

#include <cstdint>

#include "vgpu/wave/instruction.h"
#include "vgpu/wave/operands.h"
#include "vgpu/wave/valu/valu_types.h"
#include "vgpu/wave/wave.h"

namespace vgpu::valu {

// Bits of MODE that must be set for a source of this kind to need no flush.
constexpr uint32_t DenormInBits(SourceKind kind) {
  if (!MayFlush(kind)) return 0;
  return kind == SourceKind::kFloat ? kModeDenormInSingle : kModeDenormInHalfDouble;
}

// The slow path of ReadRow: anything but an unmodified VGPR.
const uint32_t* PrepareRow(const Wave& wave, const Instruction& instruction, int source,
                           SourceKind kind, LaneRow* scratch);

// 64 values of a source of at most 32 bits; 16-bit values stand in the low half, and the high half
// is undefined.
inline const uint32_t* ReadRow(const Wave& wave, const Instruction& instruction, int source,
                               SourceKind kind, LaneRow* scratch) {
  const uint32_t code = instruction.src[source];
  const uint32_t denorm = DenormInBits(kind);
  const bool plain = code >= kOperandVgprFirst && !instruction.is_sdwa && !instruction.is_dpp &&
                     (instruction.neg | instruction.abs | instruction.op_sel) == 0 &&
                     (wave.mode & denorm) == denorm;
  if (plain) [[likely]]
    return wave.vgpr[code - kOperandVgprFirst];
  return PrepareRow(wave, instruction, source, kind, scratch);
}

// 64 values of a 64-bit source.
const uint64_t* ReadRow64(const Wave& wave, const Instruction& instruction, int source,
                          SourceKind kind, LaneRow64* scratch);

// Sets each lane of *row to 0 where its bit in `mask` is 0, otherwise to a number other than 0.
void ExpandMask(uint64_t mask, LaneRow* row);
// The mask of lanes whose value is odd (a flag of 1).
uint64_t PackMask(const LaneRow& row);

// The lanes that a DPP instruction writes (never more than EXEC).
uint64_t DppWriteMask(const Wave& wave, const Instruction& instruction);

// The lanes that the instruction writes.
inline uint64_t WriteMask(const Wave& wave, const Instruction& instruction) {
  if (instruction.is_dpp) [[unlikely]]
    return DppWriteMask(wave, instruction);
  return wave.exec();
}

// False, with a fault in the wave, for a DPP control that the hardware reserves.
bool CheckDppControl(Wave& wave, const Instruction& instruction);
inline bool ControlsAreValid(Wave& wave, const Instruction& instruction) {
  return !instruction.is_dpp || CheckDppControl(wave, instruction);
}

// Writes the lanes of `mask` to the destination VGPR, through SDWA's selection if there is one.
void StoreRow(Wave& wave, const Instruction& instruction, const LaneRow& value, uint64_t mask);
void StoreRow64(Wave& wave, const Instruction& instruction, const LaneRow64& value, uint64_t mask);
// The low 16 bits go to the half that op_sel names; the other half keeps its old value.
void StoreHalfRow(Wave& wave, const Instruction& instruction, const LaneRow& value, uint64_t mask);

// Writes the lanes of `mask` to VGPR `number`, all 32 bits.
void StoreLanes(Wave& wave, uint32_t number, const uint32_t* value, uint64_t mask);

// True when a float result needs FinishRow: an output modifier, clamp, or a flush.
template <class T>
inline bool NeedsFinish(const Wave& wave, const Instruction& instruction) {
  constexpr uint32_t kDenormOut =
      std::is_same_v<T, float> ? kModeDenormOutSingle : kModeDenormOutHalfDouble;
  return instruction.omod != 0 || instruction.clamp || (wave.mode & kDenormOut) == 0;
}
// Applies flush, omod and clamp in place; T is Half, float or double.
template <class T, class Row>
void FinishRow(const Wave& wave, const Instruction& instruction, Row* row);

// While a ScopedRounding lives, the host rounds as MODE says. Costs two tests when MODE says
// nearest even.
class ScopedRounding {
 public:
  ScopedRounding(uint32_t mode, bool is_single) {
    const uint32_t round = is_single ? mode & 3 : mode >> 2 & 3;
    if (round != 0) [[unlikely]]
      Change(round);
  }
  ~ScopedRounding() {
    if (changed_) [[unlikely]]
      Restore();
  }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;

 private:
  void Change(uint32_t round);
  void Restore();

  bool changed_ = false;
  uint32_t old_control_ = 0;
};

}  // namespace vgpu::valu
