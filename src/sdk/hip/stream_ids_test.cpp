// SPDX-License-Identifier: MIT
#include "sdk/hip/stream_ids.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace rtl::sdk {
namespace {

TEST(StreamIds, KeepsAHandlesNumberUntilItsStreamIsDestroyed) {
  StreamIds ids;
  EXPECT_EQ(ids.Of(0), 0u);
  const uint64_t first = ids.Of(0x1000);
  EXPECT_NE(first, 0u);
  EXPECT_EQ(ids.Of(0x1000), first);
  EXPECT_EQ(ids.Take(0x1000), first);
  ids.PutBack(0x1000, first);
  EXPECT_EQ(ids.Of(0x1000), first);
  (void)ids.Take(0x1000);
  const uint64_t second = ids.Renew(0x1000);
  EXPECT_NE(second, first);
  EXPECT_NE(ids.Renew(0x1000), second);
}

TEST(StreamIds, GivesNoNumberToHandlesBeyondItsRoom) {
  StreamIds ids;
  std::set<uint64_t> numbers;
  for (uint64_t i = 1; i <= StreamIds::kSlots; ++i) numbers.insert(ids.Of(i * 64));
  EXPECT_EQ(numbers.size(), size_t{StreamIds::kSlots});
  EXPECT_EQ(ids.Of(8), StreamIds::kNone);
  EXPECT_EQ(ids.Renew(8), StreamIds::kNone);
  EXPECT_EQ(ids.Take(8), StreamIds::kNone);
  EXPECT_EQ(ids.Of(64), *numbers.begin()) << "the others are unchanged";
}

TEST(StreamIds, GivesAllThreadsTheSameNumbers) {
  constexpr uint64_t kStreams = 500;
  StreamIds ids;
  std::vector<std::vector<uint64_t>> seen(4);
  std::vector<std::thread> threads;
  for (std::vector<uint64_t>& numbers : seen) {
    threads.emplace_back([&] {
      for (uint64_t i = 1; i <= kStreams; ++i) numbers.push_back(ids.Of(i << 12));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<uint64_t>& numbers : seen) EXPECT_EQ(numbers, seen[0]);
  EXPECT_EQ(std::set<uint64_t>(seen[0].begin(), seen[0].end()).size(), kStreams);
}

}  // namespace
}  // namespace rtl::sdk
