// SPDX-License-Identifier: MIT
// memory_words.h: loads and stores of device memory by host pointer.
//
// Device memory is shared with the host's threads and with waves on other threads, which poll flags
// in it. Naturally aligned accesses of up to 16 bytes are therefore single ones, as they are in the
// hardware: no thread ever sees half of them. Scans keep a value of 8 bytes and its flag in one
// access of 16.
//
// For accesses of 16 bytes x86-64 promises this for MOVDQA only, and only on processors with AVX.
// On older processors no instruction loads 16 bytes atomically from read-only memory: another
// thread may see half of such an access.
#pragma once

#include <emmintrin.h>

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

// Inline assembly, because the compiler may choose another instruction for an intrinsic.
inline __m128i LoadQuad(const uint8_t* host) {
  __m128i value;
#ifdef __AVX__
  asm volatile("vmovdqa %1, %0" : "=x"(value) : "m"(*reinterpret_cast<const __m128i*>(host)));
#else
  asm volatile("movdqa %1, %0" : "=x"(value) : "m"(*reinterpret_cast<const __m128i*>(host)));
#endif
  return value;
}

inline void StoreQuad(uint8_t* host, __m128i value) {
#ifdef __AVX__
  asm volatile("vmovdqa %1, %0" : "=m"(*reinterpret_cast<__m128i*>(host)) : "x"(value));
#else
  asm volatile("movdqa %1, %0" : "=m"(*reinterpret_cast<__m128i*>(host)) : "x"(value));
#endif
}

// `count` dwords in a row, in the largest aligned pieces: of 16, 8 or 4 bytes.
inline void LoadDwords(const uint8_t* host, uint32_t* out, size_t count) {
  size_t i = 0;
  while (i < count) {
    const uint8_t* const from = host + i * sizeof(uint32_t);
    if (i + 4 <= count && IsAligned<__m128i>(from)) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), LoadQuad(from));
      i += 4;
    } else if (i + 2 <= count && IsAligned<uint64_t>(from)) {
      const uint64_t pair = LoadWord<uint64_t>(from);
      std::memcpy(out + i, &pair, sizeof pair);
      i += 2;
    } else {
      out[i++] = LoadWord<uint32_t>(from);
    }
  }
}

inline void StoreDwords(uint8_t* host, const uint32_t* values, size_t count) {
  size_t i = 0;
  while (i < count) {
    uint8_t* const to = host + i * sizeof(uint32_t);
    if (i + 4 <= count && IsAligned<__m128i>(to)) {
      StoreQuad(to, _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + i)));
      i += 4;
    } else if (i + 2 <= count && IsAligned<uint64_t>(to)) {
      uint64_t pair;
      std::memcpy(&pair, values + i, sizeof pair);
      StoreWord<uint64_t>(to, pair);
      i += 2;
    } else {
      StoreWord<uint32_t>(to, values[i++]);
    }
  }
}

}  // namespace vgpu
