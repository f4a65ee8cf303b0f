// SPDX-License-Identifier: MIT
#include "vgpu/kfd/redirect.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "vgpu/config/config.h"
#include "vgpu/kfd/topology.h"

namespace vgpu {
namespace {

// The virtual machine has these paths and all below them. Any text may follow a ':'.
constexpr std::string_view kPrefixes[] = {
    "/dev/kfd",       "/dev/dri",           "/sys/devices/virtual/kfd", "/sys/class/kfd",
    "/sys/class/drm", "/sys/dev/char/226:", "/sys/module/amdgpu",       "/proc/modules",
};

// /sys/class/kfd/kfd is a link in a real /sys.
constexpr std::string_view kClassLink = "/sys/class/kfd/kfd";
constexpr std::string_view kClassTarget = "/sys/devices/virtual/kfd/kfd";

bool EndsOrGoesOn(std::string_view rest) { return rest.empty() || rest[0] == '/'; }

// Paths of a PCI bus or of its only device; the bus number stands between the two parts. Other
// buses are the host's.
struct PciPrefix {
  std::string_view before_bus, behind_bus;
};
constexpr PciPrefix kPciPrefixes[] = {{"/sys/devices/pci0000:00/0000:", ":00.0"},
                                      {"/sys/bus/pci/devices/0000:", ":00.0"},
                                      {"/sys/class/pci_bus/0000:", ""},
                                      {"/sys/devices/pci0000:00/pci_bus/0000:", ""}};

// Cuts the bus number off `path`. True when that bus has a virtual GPU.
bool TakeBus(std::string_view* path) {
  int bus = 0;
  const char* end = path->data() + std::min<size_t>(path->size(), 2);
  const auto [parsed, error] = std::from_chars(path->data(), end, bus, 16);
  if (error != std::errc() || parsed != path->data() + 2) return false;
  path->remove_prefix(2);
  return bus >= PciBusOf(0) && bus < PciBusOf(GetConfig().num_gpus);
}

bool IsPci(std::string_view path) {
  for (const PciPrefix& prefix : kPciPrefixes) {
    std::string_view rest = path;
    if (!rest.starts_with(prefix.before_bus)) continue;
    rest.remove_prefix(prefix.before_bus.size());
    return TakeBus(&rest) && rest.starts_with(prefix.behind_bus) &&
           EndsOrGoesOn(rest.substr(prefix.behind_bus.size()));
  }
  return false;
}

bool Belongs(std::string_view path) {
  for (const std::string_view prefix : kPrefixes) {
    if (!path.starts_with(prefix)) continue;
    if (path.size() == prefix.size() || prefix.ends_with(':')) return true;
    if (path[prefix.size()] == '/') return true;
  }
  return IsPci(path);
}

}  // namespace

bool RedirectedPath::Redirect(const char* path) {
  if (path == nullptr || path[0] != '/') return false;
  if (!Belongs(path)) return false;
  std::string_view target;
  std::string_view rest = path;
  if (rest.starts_with(kClassLink)) {
    target = kClassTarget;
    rest.remove_prefix(kClassLink.size());
  }
  const int length = std::snprintf(text_, sizeof(text_), "%s%.*s%.*s", MachineRoot().c_str(),
                                   static_cast<int>(target.size()), target.data(),
                                   static_cast<int>(rest.size()), rest.data());
  return length > 0 && static_cast<size_t>(length) < sizeof(text_);
}

}  // namespace vgpu
