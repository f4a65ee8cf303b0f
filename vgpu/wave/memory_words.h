// SPDX-License-Identifier: MIT
// memory_words.h: loads and stores of device memory by host pointer.
//
// Device memory is shared with the host's threads and with waves on other threads, which poll flags
// in it. Naturally aligned accesses of up to 8 bytes are therefore single (relaxed) atomic ones, as
// they are in the hardware: no thread ever sees half of a 64-bit value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace vgpu {

template <class T>
inline bool IsAligned(const void* host) {
  return (reinterpret_cast<uintptr_t>(host) & (sizeof(T) - 1)) == 0;
}

template <class T>
inline T LoadWord(const uint8_t* host) {
  if (IsAligned<T>(host)) [[likely]] {
    return __atomic_load_n(reinterpret_cast<const T*>(host), __ATOMIC_RELAXED);
  }
  T value;
  std::memcpy(&value, host, sizeof value);
  return value;
}

template <class T>
inline void StoreWord(uint8_t* host, T value) {
  if (IsAligned<T>(host)) [[likely]] {
    __atomic_store_n(reinterpret_cast<T*>(host), value, __ATOMIC_RELAXED);
    return;
  }
  std::memcpy(host, &value, sizeof value);
}

// `count` dwords in a row; pairs go as one 64-bit access where they are aligned.
inline void LoadDwords(const uint8_t* host, uint32_t* out, size_t count) {
  size_t i = 0;
  for (; i + 1 < count; i += 2) {
    const uint64_t pair = LoadWord<uint64_t>(host + i * sizeof(uint32_t));
    out[i] = static_cast<uint32_t>(pair);
    out[i + 1] = static_cast<uint32_t>(pair >> 32);
  }
  if (i < count) out[i] = LoadWord<uint32_t>(host + i * sizeof(uint32_t));
}

inline void StoreDwords(uint8_t* host, const uint32_t* values, size_t count) {
  size_t i = 0;
  for (; i + 1 < count; i += 2) {
    const uint64_t pair = values[i] | static_cast<uint64_t>(values[i + 1]) << 32;
    StoreWord<uint64_t>(host + i * sizeof(uint32_t), pair);
  }
  if (i < count) StoreWord<uint32_t>(host + i * sizeof(uint32_t), values[i]);
}

}  // namespace vgpu
