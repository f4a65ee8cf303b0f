// SPDX-License-Identifier: MIT
// test_buffer.h: for tests: memory of the virtual GPU at a GPU address that is not its host
// address.
//
// Threads    one; Memory: unmapped and freed by the destructor
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "vgpu/mem/address_space.h"

namespace vgpu {

class TestBuffer {
 public:
  static constexpr int kGpu = 0;
  static constexpr uint64_t kPage = 4096;

  TestBuffer(uint64_t va, uint64_t bytes) : va_(va), words_(bytes / 8) {
    EXPECT_TRUE(MapRange(kGpu, va, bytes, host()));
  }
  ~TestBuffer() { EXPECT_TRUE(UnmapRange(kGpu, va_, words_.size() * 8)); }
  TestBuffer(const TestBuffer&) = delete;
  TestBuffer& operator=(const TestBuffer&) = delete;

  uint64_t va(uint64_t offset = 0) const { return va_ + offset; }
  uint64_t bytes() const { return words_.size() * 8; }
  uint8_t* host() { return reinterpret_cast<uint8_t*>(words_.data()); }

  template <typename T>
  T Get(uint64_t offset) {
    T value;
    std::memcpy(&value, host() + offset, sizeof(T));
    return value;
  }
  template <typename T>
  void Set(uint64_t offset, T value) {
    std::memcpy(host() + offset, &value, sizeof(T));
  }
  // Every byte differs from its neighbours and from those of another seed.
  void Scramble(uint32_t seed) {
    for (uint64_t i = 0; i < bytes(); ++i) {
      host()[i] = static_cast<uint8_t>((i + seed) * 2654435761u >> 13);
    }
  }

 private:
  uint64_t va_;
  std::vector<uint64_t> words_;
};

}  // namespace vgpu
