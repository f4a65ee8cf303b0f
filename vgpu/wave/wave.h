// SPDX-License-Identifier: MIT
// wave.h: the architectural state of one wave (64 lanes) of the virtual GPU.
//
// Threads    owned by the thread that runs its workgroup at the moment; no locks inside
// Memory     130 KB; the constructor leaves vgpr uninitialised on purpose, and the launcher clears
//            the registers that the kernel declares
#pragma once

#include <cstdint>
#include <string>

#include "vgpu/wave/instruction.h"

namespace vgpu {

constexpr int kLanes = 64;
constexpr int kVgprs = 256;
// From kVgprs on: the accumulation registers of gfx90a, a0 to a255.
constexpr int kVectorRegisters = 2 * kVgprs;
// Operand codes 0-127 plus room for the widest scalar load that starts at the last of them.
constexpr int kSgprSlots = 144;

// MODE's bit that s_set_gpr_idx_on sets: VALU register numbers are relative to M0[7:0], for the
// sources and destination that M0[15:12] selects.
constexpr uint32_t kModeGprIndex = 1u << 27;

// The register `count` after this one; each of the two kinds wraps around by itself.
constexpr uint32_t RegisterAfter(uint32_t number, uint32_t count) {
  return (number & kVgprs) | ((number + count) & (kVgprs - 1));
}

// Why a wave cannot go on.
struct Fault {
  enum class Code : uint8_t {
    kNone,
    kMemoryFault,  // no page at `va`
    kIllegalInstruction,
    kApertureViolation,  // an address in no aperture of the device
    kTrap,               // s_trap
  };
  Code code = Code::kNone;
  bool write = false;
  uint64_t va = 0;
  std::string message;
};

struct alignas(64) Wave {
  uint32_t vgpr[kVectorRegisters][kLanes];
  uint32_t sgpr[kSgprSlots] = {};  // by operand code: 106/107 VCC, 124 M0, 126/127 EXEC
  uint64_t pc = 0;                 // of the next instruction
  bool scc = false;
  bool done = false;        // s_endpgm was reached
  bool at_barrier = false;  // waits for the rest of its workgroup
  bool yield = false;       // s_sleep and the like: let others run first
  bool in_trap = false;     // in the trap handler (host_trap.h)
  bool in_block = false;    // stopped in the middle of a block that is interpreted (interpreter.h)
  uint8_t outstanding = 0;  // what s_waitcnt waits for (cycle_model.cpp)
  uint64_t gws_ticket = 0;  // waits at a device-wide barrier (gws.h)
  int id = 0;               // number in its workgroup

  // Hardware registers (s_getreg_b32).
  uint32_t mode = 0;         // float rounding and denormals, exceptions, kModeGprIndex
  uint32_t hw_id = 0;        // which shader engine, compute unit, wave slot
  uint32_t chiplet = 0;      // XCC_ID
  uint32_t trap_status = 0;  // TRAPSTS
  uint32_t gpr_alloc = 0;
  uint32_t lds_alloc = 0;
  Fault fault;

  // Leaves the VGPRs uninitialised on purpose (see the head of this file).
  Wave() {}

  uint64_t Sgpr64(uint32_t code) const {
    return sgpr[code] | static_cast<uint64_t>(sgpr[code + 1]) << 32;
  }
  void SetSgpr64(uint32_t code, uint64_t value) {
    sgpr[code] = static_cast<uint32_t>(value);
    sgpr[code + 1] = static_cast<uint32_t>(value >> 32);
  }
  uint64_t Vgpr64(uint32_t number, int lane) const {
    return vgpr[number][lane] | static_cast<uint64_t>(vgpr[RegisterAfter(number, 1)][lane]) << 32;
  }
  void SetVgpr64(uint32_t number, int lane, uint64_t value) {
    vgpr[number][lane] = static_cast<uint32_t>(value);
    vgpr[RegisterAfter(number, 1)][lane] = static_cast<uint32_t>(value >> 32);
  }

  uint64_t exec() const { return Sgpr64(kOperandExec); }
  void set_exec(uint64_t mask) { SetSgpr64(kOperandExec, mask); }
  uint64_t vcc() const { return Sgpr64(kOperandVcc); }
  void set_vcc(uint64_t mask) { SetSgpr64(kOperandVcc, mask); }
  uint32_t m0() const { return sgpr[kOperandM0]; }

  // Records the fault and returns false, so that a handler can `return wave.Fail(...)`.
  bool Fail(Fault::Code code, std::string message, uint64_t va = 0, bool write = false);
};

// Whether the wave may execute its next instruction now.
inline bool CanGoOn(const Wave& wave) {
  return !wave.done && !wave.at_barrier && !wave.yield && wave.fault.code == Fault::Code::kNone;
}

// Calls f(lane) for every lane of `mask`, lowest first. The full mask is a plain counted loop that
// the compiler can vectorise.
template <class F>
inline void ForEachLane(uint64_t mask, F&& f) {
  if (mask == ~uint64_t{0}) {
    for (int lane = 0; lane < kLanes; ++lane) f(lane);
    return;
  }
  while (mask != 0) {
    const int lane = __builtin_ctzll(mask);
    mask &= mask - 1;
    f(lane);
  }
}

}  // namespace vgpu
