// SPDX-License-Identifier: MIT
// gpus_here.h: reads this machine's GPUs from the driver's topology, for verbs that run no program.
//
// Threads    any
// Blocking   reads small files
// Errors     none: if there is no topology, there are no GPUs
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rtl::cli {

struct GpuHere {
  uint32_t node = 0;
  std::string name;  // "gfx90a"
  uint32_t xcc = 1;
  uint32_t engines = 0;
  uint32_t compute_units = 0;
  uint32_t arrays_per_engine = 0;
};

// `root`: folder of the topology; null: the driver's own.
std::vector<GpuHere> GpusHere(const char* root = nullptr);

}  // namespace rtl::cli
