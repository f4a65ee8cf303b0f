// SPDX-License-Identifier: MIT
#include "vgpu/mem/address_space.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

namespace vgpu {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kBase = 0x7000'0000'0000;

// Two pages of host memory that tests map at various addresses.
class AddressSpace : public ::testing::Test {
 protected:
  AddressSpace() : memory_(2 * kPage) {}
  ~AddressSpace() override {
    for (int gpu = 0; gpu < 2; ++gpu) (void)UnmapRange(gpu, 0, ~uint64_t{0});
  }

  uint8_t* host() { return memory_.data(); }

 private:
  std::vector<uint8_t> memory_;
};

TEST_F(AddressSpace, TranslatesEveryByteOfAMapping) {
  ASSERT_TRUE(MapRange(0, kBase, 2 * kPage, host()));
  EXPECT_EQ(Translate(0, kBase, 1), host());
  EXPECT_EQ(Translate(0, kBase + kPage + 3, 8), host() + kPage + 3);
  EXPECT_EQ(Translate(0, kBase, 2 * kPage), host());
}

TEST_F(AddressSpace, FaultsOutsideOfEveryMapping) {
  EXPECT_EQ(Translate(0, kBase, 1), nullptr);
  ASSERT_TRUE(MapRange(0, kBase, kPage, host()));
  EXPECT_EQ(Translate(0, kBase - 1, 1), nullptr);
  EXPECT_EQ(Translate(0, kBase + kPage, 1), nullptr);
}

TEST_F(AddressSpace, FaultsWhenAnAccessLeavesItsMapping) {
  ASSERT_TRUE(MapRange(0, kBase, kPage, host()));
  EXPECT_EQ(Translate(0, kBase + kPage - 4, 8), nullptr);
  // Also once the mapping is in the thread's TLB.
  EXPECT_NE(Translate(0, kBase + kPage - 4, 4), nullptr);
  EXPECT_EQ(Translate(0, kBase + kPage - 4, 8), nullptr);
  EXPECT_EQ(Translate(0, kBase, ~size_t{0}), nullptr);
}

//   [ first ] hole [ second ]
TEST_F(AddressSpace, FaultsInTheHoleBetweenTwoMappings) {
  ASSERT_TRUE(MapRange(0, kBase, kPage, host()));
  ASSERT_TRUE(MapRange(0, kBase + 2 * kPage, kPage, host() + kPage));
  EXPECT_EQ(Translate(0, kBase + kPage, 4), nullptr);
  EXPECT_EQ(Translate(0, kBase + 2 * kPage, 4), host() + kPage);
}

TEST_F(AddressSpace, TreatsNeighboursAsSeparateMappings) {
  ASSERT_TRUE(MapRange(0, kBase, kPage, host() + kPage));
  ASSERT_TRUE(MapRange(0, kBase + kPage, kPage, host()));
  EXPECT_EQ(Translate(0, kBase + kPage - 1, 1), host() + 2 * kPage - 1);
  EXPECT_EQ(Translate(0, kBase + kPage, 1), host());
  EXPECT_EQ(Translate(0, kBase + kPage - 1, 2), nullptr);
}

TEST_F(AddressSpace, ReportsHowFarARunReaches) {
  ASSERT_TRUE(MapRange(0, kBase, 2 * kPage, host()));
  for (int look_up = 0; look_up < 2; ++look_up) {  // from the table, then from the TLB
    size_t run = 0;
    EXPECT_EQ(TranslateRun(0, kBase + 100, &run), host() + 100);
    EXPECT_EQ(run, 2 * kPage - 100);
  }
  size_t run = 0;
  EXPECT_EQ(TranslateRun(0, kBase + 2 * kPage, &run), nullptr);
}

TEST_F(AddressSpace, RefusesToMapOverAMapping) {
  ASSERT_TRUE(MapRange(0, kBase, kPage, host()));
  EXPECT_FALSE(MapRange(0, kBase, kPage, host() + kPage));
  EXPECT_FALSE(MapRange(0, kBase - kPage, 2 * kPage, host()));
  EXPECT_FALSE(MapRange(0, kBase + kPage - 1, kPage, host()));
  EXPECT_FALSE(MapRange(0, kBase - kPage, 3 * kPage, host()));
  EXPECT_EQ(Translate(0, kBase, 1), host());
  EXPECT_EQ(Translate(0, kBase - 1, 1), nullptr);
}

TEST_F(AddressSpace, KeepsTheGpusApart) {
  ASSERT_TRUE(MapRange(0, kBase, kPage, host()));
  EXPECT_EQ(Translate(1, kBase, 1), nullptr);
  ASSERT_TRUE(MapRange(1, kBase, kPage, host() + kPage));
  EXPECT_EQ(Translate(0, kBase, 1), host());
  EXPECT_EQ(Translate(1, kBase, 1), host() + kPage);
  ASSERT_TRUE(UnmapRange(0, kBase, kPage));
  EXPECT_EQ(Translate(0, kBase, 1), nullptr);
  EXPECT_EQ(Translate(1, kBase, 1), host() + kPage);
}

TEST_F(AddressSpace, UnmapsOnlyWhatLiesInside) {
  ASSERT_TRUE(MapRange(0, kBase, kPage, host()));
  ASSERT_TRUE(MapRange(0, kBase + kPage, kPage, host() + kPage));
  EXPECT_FALSE(UnmapRange(0, kBase + 2 * kPage, kPage));
  EXPECT_FALSE(UnmapRange(0, kBase, kPage - 1));
  EXPECT_TRUE(UnmapRange(0, kBase, 2 * kPage));
  EXPECT_EQ(Translate(0, kBase, 1), nullptr);
  EXPECT_EQ(Translate(0, kBase + kPage, 1), nullptr);
}

TEST_F(AddressSpace, DropsTheTlbEntryOfAnUnmappedRange) {
  ASSERT_TRUE(MapRange(0, kBase, kPage, host()));
  ASSERT_EQ(Translate(0, kBase, 1), host());
  ASSERT_TRUE(UnmapRange(0, kBase, kPage));
  EXPECT_EQ(Translate(0, kBase, 1), nullptr);
  ASSERT_TRUE(MapRange(0, kBase, kPage, host() + kPage));
  EXPECT_EQ(Translate(0, kBase, 1), host() + kPage);
}

TEST_F(AddressSpace, StartsEmptyInAForkedChild) {
  ASSERT_TRUE(MapRange(0, kBase, kPage, host()));
  ASSERT_EQ(Translate(0, kBase, 1), host());
  const pid_t child = fork();
  if (child == 0) {
    ForgetAddressSpaces();
    const bool empty = Translate(0, kBase, 1) == nullptr;
    _exit(empty && MapRange(0, kBase, kPage, host() + kPage) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Translate(0, kBase, 1), host());
}

TEST_F(AddressSpace, UsesMoreMappingsThanATlbHolds) {
  constexpr int kMappings = 64;
  for (int i = 0; i < kMappings; ++i) {
    ASSERT_TRUE(MapRange(0, kBase + 2 * i * kPage, kPage, host() + i));
  }
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kMappings; ++i) {
      EXPECT_EQ(Translate(0, kBase + 2 * i * kPage, 1), host() + i);
    }
  }
}

// The reader's TLB holds the mapping all the time. Once it sees the unmap, it never hits.
TEST_F(AddressSpace, InvalidatesTheTlbsOfOtherThreads) {
  constexpr int kRounds = 1000;
  std::atomic<int> mapped{0};
  std::atomic<int> seen{0};
  std::atomic<int> wrong{0};
  std::thread reader([&] {
    for (int round = 1; round <= kRounds; ++round) {
      while (mapped.load(std::memory_order_acquire) != round) std::this_thread::yield();
      if (Translate(0, kBase, 1) != host() + round % kPage) ++wrong;
      seen.store(round, std::memory_order_release);
      while (mapped.load(std::memory_order_acquire) != -round) std::this_thread::yield();
      if (Translate(0, kBase, 1) != nullptr) ++wrong;
      seen.store(-round, std::memory_order_release);
    }
  });
  for (int round = 1; round <= kRounds; ++round) {
    ASSERT_TRUE(MapRange(0, kBase, kPage, host() + round % kPage));
    mapped.store(round, std::memory_order_release);
    while (seen.load(std::memory_order_acquire) != round) std::this_thread::yield();
    ASSERT_TRUE(UnmapRange(0, kBase, kPage));
    mapped.store(-round, std::memory_order_release);
    while (seen.load(std::memory_order_acquire) != -round) std::this_thread::yield();
  }
  reader.join();
  EXPECT_EQ(wrong, 0);
}

// With retry of page faults.
class ProcessMemory : public AddressSpace {
 protected:
  ProcessMemory() { ShowProcessMemory(true); }
  ~ProcessMemory() override { ShowProcessMemory(false); }
  static uint64_t AddressOf(const void* host) { return reinterpret_cast<uint64_t>(host); }
};

TEST_F(ProcessMemory, IsSeenAtItsOwnAddress) {
  EXPECT_EQ(Translate(0, AddressOf(host()), 2 * kPage), host());
  EXPECT_EQ(Translate(1, AddressOf(host()) + 5, 8), host() + 5);
  EXPECT_EQ(Translate(0, 16, 4), nullptr) << "nothing is mapped there";
  ShowProcessMemory(false);
  EXPECT_EQ(Translate(0, AddressOf(host()), 1), nullptr);
}

// A page of the process that a GPU has other memory at: what lies beside it is the process's.
TEST_F(ProcessMemory, IsHiddenByRangesOfTheGpu) {
  alignas(kPage) static uint8_t pages[3 * kPage];
  ASSERT_TRUE(MapRange(0, AddressOf(pages) + kPage, kPage, host()));
  EXPECT_EQ(Translate(0, AddressOf(pages) + kPage, 4), host());
  EXPECT_EQ(Translate(0, AddressOf(pages) + kPage - 4, 4), pages + kPage - 4);
  EXPECT_EQ(Translate(0, AddressOf(pages) + kPage - 4, 8), nullptr) << "it leaves its mapping";
  EXPECT_EQ(Translate(0, AddressOf(pages) + 2 * kPage, 4), pages + 2 * kPage);
  EXPECT_EQ(Translate(1, AddressOf(pages) + kPage, 4), pages + kPage) << "of another GPU";
}

TEST_F(ProcessMemory, IsHiddenWhereARangeHasNoMemory) {
  alignas(kPage) static uint8_t page[kPage];
  ASSERT_TRUE(MapRange(0, AddressOf(page), kPage, nullptr));
  EXPECT_EQ(Translate(0, AddressOf(page), 1), nullptr);
  EXPECT_EQ(Translate(1, AddressOf(page), 1), page);
}

TEST_F(ProcessMemory, IsLookedUpAgainAfterAPacketHasBegun) {
  void* mapping = mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapping, MAP_FAILED);
  EXPECT_EQ(Translate(0, AddressOf(mapping), 1), mapping);
  munmap(mapping, kPage);
  ForgetProcessMemory(0);
  EXPECT_EQ(Translate(0, AddressOf(mapping), 1), nullptr);
}

}  // namespace
}  // namespace vgpu
