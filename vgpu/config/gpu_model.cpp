// SPDX-License-Identifier: MIT
#include "vgpu/config/gpu_model.h"

#include <cstdio>
#include <iterator>

#include "vgpu/config/config.h"

namespace vgpu {
namespace {

constexpr GpuModel kModels[] = {
    {
        .gfx = 0x900,
        .name = "vega10",
        .target_version = 90000,
        .device_id = 0x6860,
        .pci_revision = 0x00,
        .external_revision = 0x01,
        .compute_units = 64,
        .shader_engines = 4,
        .waves_per_simd = 10,
        .clock_mhz = 1500,
        .gws = 0,
        .sdma_count_bits = 22,
        .graphics = {9, 0, 1},
        .sdma = {4, 0, 0},
        .bus = {6, 1, 0},
    },
    {
        .gfx = 0x906,
        .name = "vega20",
        .target_version = 90006,
        .device_id = 0x66a1,
        .pci_revision = 0x02,
        .external_revision = 0x28,
        .compute_units = 60,
        .shader_engines = 4,
        .waves_per_simd = 10,
        .clock_mhz = 1725,
        .sdma_count_bits = 22,
        .sram_ecc = true,
        .graphics = {9, 4, 0},
        .sdma = {4, 2, 0},
        .bus = {7, 4, 0},
    },
    {
        .gfx = 0x90a,
        .name = "aldebaran",
        .target_version = 90010,
        .device_id = 0x740f,
        .pci_revision = 0x02,
        .external_revision = 0x3d,
        .compute_units = 104,
        .shader_engines = 8,
        .waves_per_simd = 8,
        .clock_mhz = 1700,
        .sdma_count_bits = 30,
        .sram_ecc = true,
        .xnack_per_process = true,
        .host_traps = true,
        .graphics = {9, 4, 2},
        .sdma = {4, 4, 0},
        .bus = {7, 4, 4},
    },
    {
        .gfx = 0x942,
        .name = "ip discovery",
        .target_version = 90402,
        .device_id = 0x74a1,
        .pci_revision = 0x00,
        .external_revision = 0x46,
        .chiplets = 8,
        .compute_units = 38,
        .shader_engines = 4,
        .waves_per_simd = 8,
        .clock_mhz = 2100,
        // From 177 on runtimes expect to reclaim the scratch memory of a queue that runs.
        .firmware = 176,
        .sdma_count_bits = 30,
        .sram_ecc = true,
        .xnack_per_process = true,
        .graphics = {9, 4, 3},
        .sdma = {4, 4, 2},
        .bus = {7, 9, 0},
    },
};

}  // namespace

const GpuModel* FindGpuModel(int gfx) {
  for (const GpuModel& model : kModels) {
    if (model.gfx == gfx) return &model;
  }
  return nullptr;
}

std::string ListGpuModels() {
  std::string text;
  for (const GpuModel& model : kModels) {
    char gfx[8];
    std::snprintf(gfx, sizeof gfx, "%x", model.gfx);
    if (&model != kModels) text += &model == std::end(kModels) - 1 ? " or " : ", ";
    text += gfx;
  }
  return text;
}

const GpuModel& GetGpuModel() {
  static const GpuModel& model = *FindGpuModel(GetConfig().gfx);  // the parser refuses others
  return model;
}

}  // namespace vgpu
