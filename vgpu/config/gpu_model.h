// SPDX-License-Identifier: MIT
// gpu_model.h: the GPUs that can be modelled: facts about each, as topology and registers report
// them.
#pragma once

#include <cstdint>
#include <string>

namespace vgpu {

// The version of a part of the GPU, as ip_discovery lists it.
struct PartVersion {
  int major, minor, revision;
};

struct GpuModel {
  int gfx;           // the digits of the name gfx906, read in base 16: 0x906
  const char* name;  // "vega20", as the topology gives it
  uint32_t target_version;
  uint16_t device_id;
  uint8_t pci_revision;
  uint8_t external_revision;
  uint32_t chiplets = 1;  // accelerator complex dies (XCC); the units and engines below are of one
  uint32_t compute_units;
  uint32_t simds_per_cu = 4;
  uint32_t shader_engines;
  uint32_t arrays_per_engine = 1;
  uint32_t waves_per_simd;
  uint32_t clock_mhz;
  uint32_t gws = 64;
  uint32_t firmware = 434;  // version of the command processors
  int sdma_count_bits;      // width of the byte count in an SDMA copy or fill packet
  bool sram_ecc = false;
  bool xnack_per_process = false;  // a process may choose to have page faults retried
  bool host_traps = false;         // the driver offers PC sampling by host traps
  PartVersion graphics, sdma, bus;

  uint32_t AllComputeUnits() const { return chiplets * compute_units; }
  // Rounded up: in some models a few engines have one compute unit more than the others.
  uint32_t UnitsPerEngine() const { return (compute_units + shader_engines - 1) / shader_engines; }
};

// nullptr when there is no such model.
const GpuModel* FindGpuModel(int gfx);

// "900, 906, 90a or 942".
std::string ListGpuModels();

// The model of every GPU of this process.
const GpuModel& GetGpuModel();

}  // namespace vgpu
