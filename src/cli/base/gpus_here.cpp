// SPDX-License-Identifier: MIT
#include "cli/base/gpus_here.h"

#include <fmt/format.h>

#include <fstream>
#include <map>

namespace rtl::cli {
namespace {

constexpr char kRoot[] = "/sys/class/kfd/kfd/topology/nodes";

std::map<std::string, uint64_t> Properties(const std::string& path) {
  std::map<std::string, uint64_t> properties;
  std::ifstream file(path);
  std::string name;
  for (uint64_t value = 0; file >> name >> value;) properties[name] = value;
  return properties;
}

}  // namespace

std::vector<GpuHere> GpusHere(const char* root) {
  std::vector<GpuHere> gpus;
  for (uint32_t node = 0;; ++node) {
    auto properties =
        Properties(fmt::format("{}/{}/properties", root == nullptr ? kRoot : root, node));
    if (properties.empty()) return gpus;
    const uint64_t version = properties["gfx_target_version"];
    if (version == 0 || properties["simd_count"] == 0) continue;
    GpuHere gpu;
    gpu.node = node;
    gpu.name = fmt::format("gfx{}{}{:x}", version / 10000, version / 100 % 100, version % 100);
    if (properties["num_xcc"] != 0) gpu.xcc = static_cast<uint32_t>(properties["num_xcc"]);
    const uint64_t arrays = properties["simd_arrays_per_engine"];
    gpu.arrays_per_engine = static_cast<uint32_t>(arrays);
    if (arrays != 0) gpu.engines = static_cast<uint32_t>(properties["array_count"] / arrays);
    const uint64_t simds = properties["simd_per_cu"];
    if (simds != 0) gpu.compute_units = static_cast<uint32_t>(properties["simd_count"] / simds);
    gpus.push_back(gpu);
  }
}

}  // namespace rtl::cli
