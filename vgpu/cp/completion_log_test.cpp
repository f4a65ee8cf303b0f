// SPDX-License-Identifier: MIT
#include "vgpu/cp/completion_log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace vgpu {
namespace {

class CompletionLogTest : public ::testing::Test {
 protected:
  CompletionLogTest() : path_(::testing::TempDir() + "completions." + std::to_string(getpid())) {}
  ~CompletionLogTest() override { std::remove(path_.c_str()); }

  // Reads the file as another process does.
  std::string Bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  template <class T>
  static T At(const std::string& bytes, size_t offset) {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
  }
  static CompletionEntry EntryAt(const std::string& bytes, uint64_t index) {
    return At<CompletionEntry>(bytes, sizeof(CompletionHeader) + index * sizeof(CompletionEntry));
  }

  const std::string path_;
  CompletionLog log_;
};

TEST_F(CompletionLogTest, HoldsWhatWasAdded) {
  ASSERT_EQ(log_.Open(path_, 25'000'000, 4), 0);
  log_.Add({.queue = 3, .gpu = 1, .packet_type = 2, .packet = 9, .start_ticks = 5, .end_ticks = 7});
  const std::string bytes = Bytes();
  ASSERT_EQ(bytes.size(), 64u + 4 * 64);
  EXPECT_EQ(bytes.substr(0, 8), "vgpudone");
  EXPECT_EQ(At<CompletionHeader>(bytes, 0).count, 1u);
  EXPECT_EQ(At<CompletionHeader>(bytes, 0).clock_hz, 25'000'000u);
  const CompletionEntry entry = EntryAt(bytes, 0);
  EXPECT_EQ(entry.number, 1u);
  EXPECT_EQ(entry.queue, 3u);
  EXPECT_EQ(entry.packet, 9u);
  EXPECT_EQ(entry.end_ticks, 7u);
  EXPECT_EQ(EntryAt(bytes, 1).number, 0u);
}

TEST_F(CompletionLogTest, CountsOnWhenItIsFull) {
  ASSERT_EQ(log_.Open(path_, 25'000'000, 2), 0);
  for (uint64_t i = 0; i < 5; ++i) log_.Add({.packet = i});
  const std::string bytes = Bytes();
  EXPECT_EQ(bytes.size(), 64u + 2 * 64);
  EXPECT_EQ(At<CompletionHeader>(bytes, 0).count, 5u);
  EXPECT_EQ(EntryAt(bytes, 1).packet, 1u);
}

TEST_F(CompletionLogTest, KeepsTheEntriesOfSeveralThreadsApart) {
  constexpr uint64_t kEach = 1000;
  ASSERT_EQ(log_.Open(path_, 25'000'000, 4 * kEach), 0);
  std::vector<std::thread> threads;
  for (uint32_t queue = 0; queue < 4; ++queue) {
    threads.emplace_back([this, queue] {
      for (uint64_t i = 0; i < kEach; ++i) log_.Add({.queue = queue, .packet = i});
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string bytes = Bytes();
  uint64_t next[4] = {};
  for (uint64_t i = 0; i < 4 * kEach; ++i) {
    const CompletionEntry entry = EntryAt(bytes, i);
    ASSERT_EQ(entry.number, i + 1);
    ASSERT_EQ(entry.packet, next[entry.queue]++);
  }
}

TEST_F(CompletionLogTest, SaysWhyItCannotBeMade) {
  EXPECT_EQ(log_.Open("/nonexistent/log", 1, 1), -ENOENT);
  EXPECT_FALSE(log_.is_open());
}

}  // namespace
}  // namespace vgpu
