// SPDX-License-Identifier: MIT
#include "vgpu/wave/memory_words.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace vgpu::memory_words_test {
namespace {

struct alignas(16) Words {
  uint8_t bytes[64];
};

TEST(MemoryWords, CopyEveryNumberOfDwordsFromEveryAlignment) {
  for (size_t offset = 0; offset < 16; ++offset) {
    for (size_t count = 1; count <= 8; ++count) {
      Words memory;
      for (size_t i = 0; i < sizeof memory.bytes; ++i) memory.bytes[i] = static_cast<uint8_t>(i);
      uint32_t loaded[8] = {};
      LoadDwords(memory.bytes + offset, loaded, count);
      EXPECT_EQ(std::memcmp(loaded, memory.bytes + offset, 4 * count), 0);
      Words stored = {};
      StoreDwords(stored.bytes + offset, loaded, count);
      EXPECT_EQ(std::memcmp(stored.bytes + offset, loaded, 4 * count), 0);
      for (size_t i = 0; i < sizeof stored.bytes; ++i) {
        if (i < offset || i >= offset + 4 * count) {
          EXPECT_EQ(stored.bytes[i], 0) << i;
        }
      }
    }
  }
}

TEST(MemoryWords, NoThreadSeesHalfOfAnAlignedAccess) {
  constexpr uint32_t kStores = 200'000;
  for (const size_t count : {2, 4}) {
    Words memory = {};
    std::atomic<bool> done{false};
    std::thread writer([&] {
      for (uint32_t k = 1; k <= kStores; ++k) {
        const uint32_t words[] = {k, k, k, k};
        StoreDwords(memory.bytes, words, count);
      }
      done = true;
    });
    uint32_t torn = 0;
    while (!done) {
      uint32_t words[4];
      LoadDwords(memory.bytes, words, count);
      for (size_t i = 1; i < count; ++i) torn += words[i] != words[0] ? 1 : 0;
    }
    writer.join();
    EXPECT_EQ(torn, 0u) << count << " dwords";
  }
}

}  // namespace
}  // namespace vgpu::memory_words_test
