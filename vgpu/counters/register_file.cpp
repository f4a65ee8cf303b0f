// SPDX-License-Identifier: MIT
#include "vgpu/counters/register_file.h"

#include "vgpu/config/config.h"

namespace vgpu {
namespace {

constinit RegisterFile g_registers[kMaxGpus];

}  // namespace

RegisterFile& RegistersOf(int gpu) { return g_registers[gpu]; }

}  // namespace vgpu
