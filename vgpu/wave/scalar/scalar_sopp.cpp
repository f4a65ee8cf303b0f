// SPDX-License-Identifier: MIT
// SOPP: branches, the end of a wave, barriers, messages.
#include <cstdio>

#include "vgpu/queue/interrupts.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"

namespace vgpu {
namespace {

// s_sendmsg: the low 4 bits of the immediate.
constexpr uint32_t kMessageInterrupt = 1;
constexpr uint32_t kMessageGetDoorbell = 10;
constexpr uint32_t kEventIdMask = 0xffffff;  // of M0
constexpr uint32_t kDoorbellMask = 0x3ff;

// s_trap numbers that the compiler emits for HSA.
constexpr uint32_t kTrapDebug = 3;  // does nothing unless a debugger is attached

// VGPR index mode: the enables in M0.
constexpr int kGprIndexEnableShift = 12;

// Execution is in order and nothing is ever outstanding. But on the hardware s_waitcnt takes long
// enough for all other waves of the workgroup to get there, so here it ends the wave's turn.
bool Wait(Wave&, const Instruction&, ExecutionContext& context) { return context.alone; }

bool EndProgram(Wave& wave, const Instruction&, ExecutionContext&) {
  wave.done = true;
  return false;
}

bool Barrier(Wave& wave, const Instruction&, ExecutionContext&) {
  wave.at_barrier = true;
  return false;
}

// A sleeping wave lets the other waves run: it usually waits for one of them.
bool Sleep(Wave& wave, const Instruction&, ExecutionContext&) {
  wave.yield = true;
  return false;
}

template <auto kTaken>
bool Branch(Wave& wave, const Instruction& in, ExecutionContext&) {
  if (kTaken(wave)) wave.pc += static_cast<int64_t>(in.immediate) * 4;
  return true;
}

bool SendMessage(Wave& wave, const Instruction& in, ExecutionContext& context) {
  const uint32_t message = static_cast<uint32_t>(in.immediate) & 0xf;
  if (message == kMessageGetDoorbell && wave.in_trap) {
    wave.sgpr[kOperandExec] = context.doorbell & kDoorbellMask;  // the reply is there at once
    return true;
  }
  if (message != kMessageInterrupt) return FailIllegal(wave, in, "message not implemented");
  RaiseEvent(wave.m0() & kEventIdMask);
  return true;
}

bool Trap(Wave& wave, const Instruction& in, ExecutionContext&) {
  const uint32_t number = static_cast<uint32_t>(in.immediate) & 0xff;
  if (number == kTrapDebug) return true;
  char text[64];
  std::snprintf(text, sizeof text, "s_trap %u at 0x%llx", number,
                static_cast<unsigned long long>(wave.pc - 4));
  return wave.Fail(Fault::Code::kTrap, text);
}

bool GprIndexOff(Wave& wave, const Instruction&, ExecutionContext&) {
  wave.mode &= ~kModeGprIndex;
  return true;
}

bool GprIndexMode(Wave& wave, const Instruction& in, ExecutionContext&) {
  constexpr uint32_t kEnables = 0xfu << kGprIndexEnableShift;
  const uint32_t enables = static_cast<uint32_t>(in.immediate) << kGprIndexEnableShift & kEnables;
  wave.sgpr[kOperandM0] = (wave.m0() & ~kEnables) | enables;
  return true;
}

constexpr auto kAlways = [](const Wave&) { return true; };
constexpr auto kNever = [](const Wave&) { return false; };  // conditions of an attached debugger
constexpr auto kScc0 = [](const Wave& wave) { return !wave.scc; };
constexpr auto kScc1 = [](const Wave& wave) { return wave.scc; };
constexpr auto kVccZero = [](const Wave& wave) { return wave.vcc() == 0; };
constexpr auto kVccNotZero = [](const Wave& wave) { return wave.vcc() != 0; };
constexpr auto kExecZero = [](const Wave& wave) { return wave.exec() == 0; };
constexpr auto kExecNotZero = [](const Wave& wave) { return wave.exec() != 0; };

constexpr OpcodeHandler kEntries[] = {
    {isa::SOPP_s_nop, NoOperation},
    {isa::SOPP_s_endpgm, EndProgram},
    {isa::SOPP_s_branch, Branch<kAlways>},
    {isa::SOPP_s_wakeup, NoOperation},
    {isa::SOPP_s_cbranch_scc0, Branch<kScc0>},
    {isa::SOPP_s_cbranch_scc1, Branch<kScc1>},
    {isa::SOPP_s_cbranch_vccz, Branch<kVccZero>},
    {isa::SOPP_s_cbranch_vccnz, Branch<kVccNotZero>},
    {isa::SOPP_s_cbranch_execz, Branch<kExecZero>},
    {isa::SOPP_s_cbranch_execnz, Branch<kExecNotZero>},
    {isa::SOPP_s_barrier, Barrier},
    {isa::SOPP_s_waitcnt, Wait},
    {isa::SOPP_s_sleep, Sleep},
    {isa::SOPP_s_setprio, NoOperation},
    {isa::SOPP_s_sendmsg, SendMessage},
    {isa::SOPP_s_trap, Trap},
    {isa::SOPP_s_icache_inv, NoOperation},  // the decoded form is checked against the code anyway
    {isa::SOPP_s_incperflevel, NoOperation},
    {isa::SOPP_s_decperflevel, NoOperation},
    {isa::SOPP_s_ttracedata, NoOperation},
    {isa::SOPP_s_cbranch_cdbgsys, Branch<kNever>},
    {isa::SOPP_s_cbranch_cdbguser, Branch<kNever>},
    {isa::SOPP_s_cbranch_cdbgsys_or_user, Branch<kNever>},
    {isa::SOPP_s_cbranch_cdbgsys_and_user, Branch<kNever>},
    {isa::SOPP_s_endpgm_saved, EndProgram},
    {isa::SOPP_s_set_gpr_idx_off, GprIndexOff},
    {isa::SOPP_s_set_gpr_idx_mode, GprIndexMode},
};

constexpr auto kTable = MakeTable<128>(kEntries);

}  // namespace

Handler FindSopp(uint16_t opcode) { return Find(kTable, opcode); }

}  // namespace vgpu
