// SPDX-License-Identifier: MIT
#include "vgpu/kfd/redirect.h"

#include <cstdio>
#include <string_view>

#include "vgpu/kfd/topology.h"

namespace vgpu {
namespace {

// A path is one of these, or below one of these; after a ':' anything may follow.
constexpr std::string_view kPrefixes[] = {
    "/dev/kfd",       "/dev/dri",           "/sys/devices/virtual/kfd", "/sys/class/kfd",
    "/sys/class/drm", "/sys/dev/char/226:", "/sys/module/amdgpu",       "/proc/modules",
};

// /sys/class/kfd/kfd is a link in a real /sys.
constexpr std::string_view kClassLink = "/sys/class/kfd/kfd";
constexpr std::string_view kClassTarget = "/sys/devices/virtual/kfd/kfd";

bool Belongs(std::string_view path) {
  for (const std::string_view prefix : kPrefixes) {
    if (!path.starts_with(prefix)) continue;
    if (path.size() == prefix.size() || prefix.ends_with(':')) return true;
    if (path[prefix.size()] == '/') return true;
  }
  return false;
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
