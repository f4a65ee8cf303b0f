// SPDX-License-Identifier: MIT
#include "vgpu/wave/hw_registers.h"

#include "vgpu/wave/isa.h"
#include "vgpu/wave/operands.h"

namespace vgpu {
namespace {

// STATUS.
constexpr uint32_t kStatusScc = 1u << 0;
constexpr uint32_t kStatusExecz = 1u << 9;
constexpr uint32_t kStatusVccz = 1u << 10;
constexpr uint32_t kStatusInGroup = 1u << 11;
constexpr uint32_t kStatusHalt = 1u << 13;
constexpr uint32_t kStatusValid = 1u << 16;

uint32_t Status(const Wave& wave) {
  uint32_t status = kStatusValid | kStatusInGroup;
  if (wave.scc) status |= kStatusScc;
  if (wave.exec() == 0) status |= kStatusExecz;
  if (wave.vcc() == 0) status |= kStatusVccz;
  return status;
}

// Bits 48-63 of the private aperture, then those of the shared one.
constexpr uint32_t kShMemBases = kPrivateApertureHigh >> 16 | kSharedApertureHigh;

}  // namespace

HwRegisterField::HwRegisterField(uint32_t immediate)
    : id(static_cast<HwRegister>(immediate & 0x3f)), shift(immediate >> 6 & 0x1f) {
  const uint32_t width = (immediate >> 11 & 0x1f) + 1;
  mask = width == 32 ? ~0u : (1u << width) - 1;
}

std::optional<uint32_t> ReadHwRegister(const Wave& wave, HwRegister id) {
  switch (id) {
    case HwRegister::kMode:
      return wave.mode;
    case HwRegister::kStatus:
      return Status(wave);
    case HwRegister::kTrapStatus:
      return wave.trap_status;
    case HwRegister::kHwId:
      return wave.hw_id;
    case HwRegister::kGprAlloc:
      return wave.gpr_alloc;
    case HwRegister::kLdsAlloc:
      return wave.lds_alloc;
    case HwRegister::kShMemBases:
      return kShMemBases;
    case HwRegister::kXccId:
      if (GetIsa().has_xcc_id) return wave.chiplet;
      break;
    case HwRegister::kIbStatus:  // nothing is ever outstanding
    case HwRegister::kTrapBaseLow:
    case HwRegister::kTrapBaseHigh:
    case HwRegister::kTrapMemoryLow:
    case HwRegister::kTrapMemoryHigh:  // no trap handler
      return 0;
  }
  return std::nullopt;
}

bool WriteHwRegister(Wave& wave, HwRegister id, uint32_t mask, uint32_t value) {
  if (id == HwRegister::kMode) {
    wave.mode = (wave.mode & ~mask) | (value & mask);
    return true;
  }
  if (id == HwRegister::kStatus && wave.in_trap) {
    if ((mask & kStatusScc) != 0) wave.scc = (value & kStatusScc) != 0;
    return (value & mask & kStatusHalt) == 0 ||
           wave.Fail(Fault::Code::kTrap, "the trap handler halted the wave");
  }
  if (id == HwRegister::kTrapStatus) {
    wave.trap_status = (wave.trap_status & ~mask) | (value & mask);
    return true;
  }
  return ReadHwRegister(wave, id).has_value();
}

}  // namespace vgpu
