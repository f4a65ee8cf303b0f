// SPDX-License-Identifier: MIT
#include "capture/signal/pending_chain.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <thread>
#include <utility>
#include <vector>

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

// As in Writer: the blocks of one file.
class TestMemory final : public InFlightMemory {
 public:
  void* MapBlock() override {
    void* const memory = mmap(nullptr, kInFlightBlockBytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    blocks_.push_back(memory);
    return memory;
  }
  // The packets in flight, by queue.
  std::vector<std::pair<uint32_t, uint64_t>> InFlight() const {
    std::vector<std::pair<uint32_t, uint64_t>> found;
    for (const void* block : blocks_) {
      const auto* head = static_cast<const InFlightHead*>(block);
      const auto* entry = reinterpret_cast<const InFlightEntry*>(head + 1);
      for (size_t i = 0; i < kInFlightEntries; ++i, ++entry) {
        if (IsInFlight(*entry)) found.emplace_back(head->queue.load(), entry->packet);
      }
    }
    return found;
  }

 private:
  std::vector<void*> blocks_;
};

TEST(PendingChain, ShowsInItsMemoryOnlyEntriesInFlight) {
  TestMemory memory;
  PendingChain chain;
  ASSERT_TRUE(chain.Init(10'000, &memory));
  chain.Serve(3);
  EXPECT_TRUE(memory.InFlight().empty()) << "entries that were never used";
  constexpr uint64_t kPackets = 2 * kInFlightEntries;
  for (uint64_t i = 0; i < kPackets; ++i) {
    chain.Reserve()->BeInFlight();
    Push(&chain, i);
  }
  EXPECT_EQ(memory.InFlight().size(), kPackets);
  for (uint64_t i = 0; i + 1 < kPackets; ++i) {
    chain.Begin().entry()->finished = true;
    chain.Retire();
  }
  EXPECT_EQ(memory.InFlight(), (std::vector<std::pair<uint32_t, uint64_t>>{{3, kPackets - 1}}));
  chain.Begin().entry()->accounted = Accounted::kYes;
  EXPECT_TRUE(memory.InFlight().empty());
  chain.Begin().entry()->flags = kInFlightGivenUp;
  EXPECT_EQ(memory.InFlight().size(), 1u);
}

TEST(PendingChain, UsesPrivateMemoryWhenThereIsNoOther) {
  struct Nothing final : InFlightMemory {
    void* MapBlock() override { return nullptr; }
  } nothing;
  PendingChain chain;
  ASSERT_TRUE(chain.Init(10'000, &nothing));
  chain.Serve(1);
  for (uint64_t i = 0; i < 2 * kInFlightEntries; ++i) Push(&chain, i);
  EXPECT_EQ(chain.Available(), 2 * kInFlightEntries);
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

TEST(PendingChain, RejectsEntriesBeyondItsLimitUntilOneIsRetired) {
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

TEST(PendingChain, ReturnsAnUnpublishedEntryAgain) {
  PendingChain chain;
  ASSERT_TRUE(chain.Init(10));
  Pending* const entry = chain.Reserve();
  EXPECT_EQ(chain.Reserve(), entry);
  EXPECT_EQ(chain.Available(), 0u);
}

TEST(PendingChain, ReusesDrainedBlocks) {
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
