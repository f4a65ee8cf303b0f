// SPDX-License-Identifier: MIT
// packet_bits.h: a field of a packet's dword.
#pragma once

#include <cstdint>

namespace vgpu {

constexpr uint32_t Bits(uint32_t word, int low, int count) {
  return word >> low & ((1u << count) - 1);
}

}  // namespace vgpu
