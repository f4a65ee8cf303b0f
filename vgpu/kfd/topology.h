// SPDX-License-Identifier: MIT
// topology.h: the files under /sys, /proc and /dev that show a machine with these GPUs.
//
// The files exist, in a directory of their own to which paths are redirected, so every way to read
// them works. One directory serves all processes with the same configuration.
//
// Threads    any; Memory never destroyed
// Errors     one line on stderr; the files are then missing, and the runtime finds no GPU
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "vgpu/config/config.h"

namespace vgpu {

// The same in sysfs and in the answers of the render nodes.
constexpr char kVbiosName[] = "vgpu";
constexpr uint32_t kSdmaFirmware = 145;

struct MachineFile {
  std::string path;  // absolute, as the program names it
  std::string text;  // of a link: where it leads, relative to its own directory
  bool is_directory = false;
  bool is_link = false;
  bool is_device = false;
};

struct HostFacts {
  long cpus = 1;
  uint64_t memory_bytes = 0;
};

std::vector<MachineFile> DescribeMachine(const Config& config, const HostFacts& host);

// Puts the files under `base`, in a directory named after their content, unless it is there
// already. Several processes may do so at once. Empty, with the reason in *why, when it fails.
std::string PublishMachine(const std::vector<MachineFile>& files, const std::string& base,
                           std::string* why);

// The bus on which this GPU is the only device.
constexpr int PciBusOf(int gpu) { return 3 + gpu; }

// The directory with the files of this process's machine.
const std::string& MachineRoot();

// Sizes that the driver reports in several places: host memory that a GPU can map (GTT), and the
// part of VRAM that the host can reach without a large BAR.
constexpr uint64_t kGttBytes = uint64_t{16} << 30;
constexpr uint64_t kSmallBarBytes = uint64_t{256} << 20;

// The part of VRAM that the host can reach.
inline uint64_t VisibleVramBytes(const Config& config) {
  return config.large_bar ? config.vram_bytes : std::min(config.vram_bytes, kSmallBarBytes);
}

}  // namespace vgpu
