// SPDX-License-Identifier: MIT
// hw_registers.h: the registers behind s_getreg_b32 and s_setreg_b32.
#pragma once

#include <cstdint>
#include <optional>

#include "vgpu/wave/wave.h"

namespace vgpu {

// Numbers of the registers, as the low 6 bits of the instruction's immediate give them.
enum class HwRegister : uint8_t {
  kMode = 1,
  kStatus = 2,
  kTrapStatus = 3,
  kHwId = 4,
  kGprAlloc = 5,
  kLdsAlloc = 6,
  kIbStatus = 7,
  kShMemBases = 15,
  kTrapBaseLow = 16,
  kTrapBaseHigh = 17,
  kTrapMemoryLow = 18,
  kTrapMemoryHigh = 19,
  kXccId = 20,  // gfx942
};

// The immediate of s_getreg and s_setreg.
struct HwRegisterField {
  HwRegister id;
  uint32_t shift;
  uint32_t mask;  // of the field, shifted down to bit 0

  explicit HwRegisterField(uint32_t immediate);
};

// nullopt: there is no such register.
std::optional<uint32_t> ReadHwRegister(const Wave& wave, HwRegister id);

// Writes the bits of `mask` (in their positions, not shifted down). Only MODE and TRAPSTS can be
// written from a kernel, and STATUS from a trap handler. A write to another register of the list
// has no effect, as in the hardware. False when there is no such register, or with a fault.
bool WriteHwRegister(Wave& wave, HwRegister id, uint32_t mask, uint32_t value);

}  // namespace vgpu
