// SPDX-License-Identifier: MIT
// memory_sizes.h: the size of a GPU's memory, as its driver reports it in several places.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vgpu/config/config.h"

namespace vgpu {

constexpr uint64_t kGttBytes = uint64_t{16} << 30;
constexpr uint64_t kSmallBarBytes = uint64_t{256} << 20;

// The part that the host can reach.
inline uint64_t VisibleVramBytes(const Config& config) {
  return config.large_bar ? config.vram_bytes : std::min(config.vram_bytes, kSmallBarBytes);
}

}  // namespace vgpu
