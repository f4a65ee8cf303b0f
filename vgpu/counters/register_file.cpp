// SPDX-License-Identifier: MIT
#include "vgpu/counters/register_file.h"

#include "vgpu/config/config.h"
#include "vgpu/counters/hw_counters.h"

namespace vgpu {
namespace {

constinit RegisterFile g_registers[kMaxGpus][kMostChiplets];

}  // namespace

RegisterFile& RegistersOf(int gpu, uint32_t chiplet) { return g_registers[gpu][chiplet]; }

}  // namespace vgpu
