// SPDX-License-Identifier: MIT
// ids.h: the layout of handles. The upper half holds the kind of the handle, so that kinds cannot
// be confused; the lower half counts from one.
#pragma once

#include <stdint.h>

namespace rtl::sdk {

enum class HandleKind : uint64_t {
  kContext = 0xc0,
  kBuffer = 0xb0,
  kThread = 0x70,
  kAgent = 0xa0,
  kConfig = 0xf0
};

constexpr uint64_t MakeHandle(HandleKind kind, uint32_t index) {
  return static_cast<uint64_t>(kind) << 32 | (index + 1);
}

// The index in the handle, or `count` if the handle is not of this kind.
constexpr uint32_t IndexOf(HandleKind kind, uint64_t handle, uint32_t count) {
  // wraps around to a large value if the handle is smaller
  const uint64_t index = handle - MakeHandle(kind, 0);
  return index < count ? static_cast<uint32_t>(index) : count;
}

}  // namespace rtl::sdk
