// SPDX-License-Identifier: MIT
// mmap_offset.h: the offsets at which a process maps parts of /dev/kfd: a type in bits 62-63, the
// GPU's id in bits 46-61, and the offset within that part below.
#pragma once

#include <cstdint>

namespace vgpu {

enum class OffsetType : uint8_t { kRegisters = 0, kReserved = 1, kEvents = 2, kDoorbell = 3 };

constexpr int kOffsetTypeShift = 62;
constexpr int kOffsetGpuShift = 46;

constexpr uint64_t MakeOffset(OffsetType type, uint32_t gpu_id, uint64_t place = 0) {
  return static_cast<uint64_t>(type) << kOffsetTypeShift |
         static_cast<uint64_t>(gpu_id) << kOffsetGpuShift | place;
}

constexpr OffsetType TypeOfOffset(uint64_t offset) {
  return static_cast<OffsetType>(offset >> kOffsetTypeShift);
}

constexpr uint32_t GpuIdOfOffset(uint64_t offset) {
  return static_cast<uint32_t>(offset >> kOffsetGpuShift) & 0xffff;
}

}  // namespace vgpu
