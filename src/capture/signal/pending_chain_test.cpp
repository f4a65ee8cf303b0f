// SPDX-License-Identifier: MIT
#include "capture/signal/pending_chain.h"

#include <gtest/gtest.h>

#include <thread>

namespace rtl::capture {
namespace {

void Push(PendingChain* chain, uint64_t packet) {
  Pending* const entry = chain->Reserve();
  ASSERT_NE(entry, nullptr);
  entry->packet = packet;
  chain->Publish();
}

uint64_t Pop(PendingChain* chain) {
  const uint64_t packet = chain->Begin().entry()->packet;
  chain->Retire();
  return packet;
}

TEST(PendingChain, KeepsTheOrderAcrossBlocks) {
  PendingChain chain;
  ASSERT_TRUE(chain.Init(10'000));
  for (uint64_t i = 0; i < 5000; ++i) {
    Push(&chain, i);
  }
  ASSERT_EQ(chain.Available(), 5000u);
  PendingChain::Cursor cursor = chain.Begin();
  for (uint64_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(cursor.entry()->packet, i);
    PendingChain::Advance(&cursor);
  }
  for (uint64_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(Pop(&chain), i);
  }
  EXPECT_EQ(chain.Available(), 0u);
}

TEST(PendingChain, ShowsStagedEntriesAllAtOnce) {
  PendingChain chain;
  ASSERT_TRUE(chain.Init(10'000));
  for (uint64_t i = 0; i < 2000; ++i) {
    chain.Reserve()->packet = i;
    chain.Stage();
  }
  EXPECT_EQ(chain.Available(), 0u);
  chain.PublishStaged();
  ASSERT_EQ(chain.Available(), 2000u);
  for (uint64_t i = 0; i < 2000; ++i) {
    ASSERT_EQ(Pop(&chain), i);
  }
}

TEST(PendingChain, RefusesBeyondItsLimitUntilAnEntryIsRetired) {
  PendingChain chain;
  ASSERT_TRUE(chain.Init(3));
  Push(&chain, 1);
  Push(&chain, 2);
  Push(&chain, 3);
  EXPECT_EQ(chain.Reserve(), nullptr);
  EXPECT_EQ(chain.InFlight(), 3u);
  EXPECT_EQ(Pop(&chain), 1u);
  EXPECT_NE(chain.Reserve(), nullptr);
}

TEST(PendingChain, AReservedEntryThatIsNotPublishedIsGivenAgain) {
  PendingChain chain;
  ASSERT_TRUE(chain.Init(10));
  Pending* const entry = chain.Reserve();
  EXPECT_EQ(chain.Reserve(), entry);
  EXPECT_EQ(chain.Available(), 0u);
}

TEST(PendingChain, UsesDrainedBlocksAgain) {
  PendingChain chain;
  ASSERT_TRUE(chain.Init(4000));
  Pending* first = chain.Reserve();
  bool again = false;
  for (uint64_t i = 0; i < 10'000; ++i) {
    again = again || (i != 0 && chain.Reserve() == first);
    Push(&chain, i);
    ASSERT_EQ(Pop(&chain), i);
  }
  EXPECT_TRUE(again);
}

TEST(PendingChain, CarriesEveryEntryFromOneThreadToAnother) {
  PendingChain chain;
  ASSERT_TRUE(chain.Init(2000));
  constexpr uint64_t kCount = 200'000;
  std::thread producer([&] {
    for (uint64_t i = 0; i < kCount; ++i) {
      Pending* entry;
      while ((entry = chain.Reserve()) == nullptr) {
        std::this_thread::yield();
      }
      entry->packet = i;
      chain.Publish();
    }
  });
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < kCount;) {
    if (chain.Available() == 0) {
      std::this_thread::yield();
      continue;
    }
    chain.KeepSpare();
    wrong += Pop(&chain) != i ? 1 : 0;
    ++i;
  }
  producer.join();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace rtl::capture
