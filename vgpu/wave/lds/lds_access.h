// SPDX-License-Identifier: MIT
// lds_access.h: typed access to a workgroup's local memory.
//
// A workgroup runs on one thread at a time, so that no access needs atomicity. Out of range a load
// gives 0 and a store does nothing.
#pragma once

#include <cstdint>
#include <cstring>

#include "vgpu/wave/execution_context.h"

namespace vgpu {

// The *st64 forms count their offsets in 64 elements.
constexpr uint32_t kStride64 = 64;

// The sum wraps: code has negative addresses with positive offsets.
inline uint32_t LdsAddress(const Wave& wave, const Instruction& in, int lane) {
  return wave.vgpr[in.vaddr][lane] + static_cast<uint32_t>(in.offset);
}

template <class T>
inline T LoadLds(const ExecutionContext& context, uint64_t address) {
  T value{};
  const uint8_t* place = context.Lds(address, sizeof value);
  if (place != nullptr) [[likely]]
    std::memcpy(&value, place, sizeof value);
  return value;
}

template <class T>
inline void StoreLds(const ExecutionContext& context, uint64_t address, T value) {
  uint8_t* place = context.Lds(address, sizeof value);
  if (place != nullptr) [[likely]]
    std::memcpy(place, &value, sizeof value);
}

// A register, or a pair of them, of one lane as a T of 4 or 8 bytes.
template <class T>
inline T ReadRegister(const Wave& wave, uint32_t number, int lane) {
  if constexpr (sizeof(T) == 8) return static_cast<T>(wave.Vgpr64(number, lane));
  return static_cast<T>(wave.vgpr[number][lane]);
}

template <class T>
inline void WriteRegister(Wave& wave, uint32_t number, int lane, T value) {
  if constexpr (sizeof(T) == 8) {
    wave.SetVgpr64(number, lane, value);
  } else {
    wave.vgpr[number][lane] = value;
  }
}

}  // namespace vgpu
