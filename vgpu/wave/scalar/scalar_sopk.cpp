// SPDX-License-Identifier: MIT
// SOPK: scalar operations with a 16-bit immediate.
#include "vgpu/wave/bit_operations.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/hw_registers.h"

namespace vgpu {
namespace {

bool MoveImmediate(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.sgpr[in.dst] = static_cast<uint32_t>(in.immediate);
  return true;
}

bool ConditionalMoveImmediate(Wave& wave, const Instruction& in, ExecutionContext&) {
  if (wave.scc) wave.sgpr[in.dst] = static_cast<uint32_t>(in.immediate);
  return true;
}

template <auto kRelation>
bool CompareSigned(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.scc = kRelation(Signed(wave.sgpr[in.dst]), in.immediate);
  return true;
}

template <auto kRelation>
bool CompareUnsigned(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t immediate = static_cast<uint32_t>(in.immediate) & 0xffff;
  wave.scc = kRelation(wave.sgpr[in.dst], immediate);
  return true;
}

bool AddImmediate(Wave& wave, const Instruction& in, ExecutionContext&) {
  int32_t sum;
  wave.scc = __builtin_add_overflow(Signed(wave.sgpr[in.dst]), in.immediate, &sum);
  wave.sgpr[in.dst] = static_cast<uint32_t>(sum);
  return true;
}

bool MultiplyImmediate(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.sgpr[in.dst] *= static_cast<uint32_t>(in.immediate);
  return true;
}

bool UnknownRegister(Wave& wave, const Instruction& in) {
  return FailIllegal(wave, in, "no such hardware register");
}

bool GetRegister(Wave& wave, const Instruction& in, ExecutionContext&) {
  const HwRegisterField field(static_cast<uint32_t>(in.immediate));
  const auto value = ReadHwRegister(wave, field.id);
  if (!value) return UnknownRegister(wave, in);
  wave.sgpr[in.dst] = *value >> field.shift & field.mask;
  return true;
}

bool WriteField(Wave& wave, const Instruction& in, uint32_t value) {
  const HwRegisterField field(static_cast<uint32_t>(in.immediate));
  const uint32_t mask = field.mask << field.shift;
  if (WriteHwRegister(wave, field.id, mask, value << field.shift)) return true;
  if (wave.fault.code != Fault::Code::kNone) return false;
  return UnknownRegister(wave, in);
}

bool SetRegister(Wave& wave, const Instruction& in, ExecutionContext&) {
  return WriteField(wave, in, wave.sgpr[in.dst]);
}

bool SetRegisterImmediate(Wave& wave, const Instruction& in, ExecutionContext&) {
  return WriteField(wave, in, in.literal);
}

bool Call(Wave& wave, const Instruction& in, ExecutionContext&) {
  wave.SetSgpr64(in.dst, wave.pc);
  wave.pc += static_cast<int64_t>(in.immediate) * 4;
  return true;
}

constexpr OpcodeHandler kEntries[] = {
    {isa::SOPK_s_movk_i32, MoveImmediate},
    {isa::SOPK_s_cmovk_i32, ConditionalMoveImmediate},
    {isa::SOPK_s_cmpk_eq_i32, CompareSigned<kEqual>},
    {isa::SOPK_s_cmpk_lg_i32, CompareSigned<kNotEqual>},
    {isa::SOPK_s_cmpk_gt_i32, CompareSigned<kGreater>},
    {isa::SOPK_s_cmpk_ge_i32, CompareSigned<kGreaterEqual>},
    {isa::SOPK_s_cmpk_lt_i32, CompareSigned<kLess>},
    {isa::SOPK_s_cmpk_le_i32, CompareSigned<kLessEqual>},
    {isa::SOPK_s_cmpk_eq_u32, CompareUnsigned<kEqual>},
    {isa::SOPK_s_cmpk_lg_u32, CompareUnsigned<kNotEqual>},
    {isa::SOPK_s_cmpk_gt_u32, CompareUnsigned<kGreater>},
    {isa::SOPK_s_cmpk_ge_u32, CompareUnsigned<kGreaterEqual>},
    {isa::SOPK_s_cmpk_lt_u32, CompareUnsigned<kLess>},
    {isa::SOPK_s_cmpk_le_u32, CompareUnsigned<kLessEqual>},
    {isa::SOPK_s_addk_i32, AddImmediate},
    {isa::SOPK_s_mulk_i32, MultiplyImmediate},
    {isa::SOPK_s_getreg_b32, GetRegister},
    {isa::SOPK_s_setreg_b32, SetRegister},
    {isa::SOPK_s_setreg_imm32_b32, SetRegisterImmediate},
    {isa::SOPK_s_call_b64, Call},
};

constexpr auto kTable = MakeTable<32>(kEntries);

}  // namespace

Handler FindSopk(uint16_t opcode) { return Find(kTable, opcode); }

}  // namespace vgpu
