// SPDX-License-Identifier: MIT
#include "capture/codeobj/kernel_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace rtl::capture {
namespace {

TEST(KernelMap, IsEmptyAtFirst) {
  const KernelMap map;
  EXPECT_EQ(map.Find(0x1000), 0u);
  EXPECT_EQ(map.size(), 0u);
}

TEST(KernelMap, FindsInsertedAddresses) {
  KernelMap map;
  EXPECT_TRUE(map.Insert(0x1000, 1, 7));
  EXPECT_TRUE(map.Insert(0x1040, 2, 7));
  EXPECT_EQ(map.Find(0x1000), 1u);
  EXPECT_EQ(map.Find(0x1040), 2u);
  EXPECT_EQ(map.Find(0x1080), 0u);
}

TEST(KernelMap, RemovesOnlyTheAddressesOfTheOwner) {
  KernelMap map;
  EXPECT_TRUE(map.Insert(0x1000, 1, 7));
  EXPECT_TRUE(map.Insert(0x2000, 2, 8));
  EXPECT_TRUE(map.Insert(0x1040, 3, 7));
  map.RemoveOwner(7);
  EXPECT_EQ(map.Find(0x1000), 0u);
  EXPECT_EQ(map.Find(0x1040), 0u);
  EXPECT_EQ(map.Find(0x2000), 2u);
  EXPECT_EQ(map.size(), 1u);
  map.RemoveOwner(7);
  EXPECT_EQ(map.size(), 1u);
}

TEST(KernelMap, MapsAReusedAddressToTheNewKernel) {
  KernelMap map;
  EXPECT_TRUE(map.Insert(0x1000, 1, 7));
  EXPECT_TRUE(map.Insert(0x1000, 2, 8));
  EXPECT_EQ(map.Find(0x1000), 2u);
  map.RemoveOwner(7);  // the late destruction of the former owner
  EXPECT_EQ(map.Find(0x1000), 2u);
  map.RemoveOwner(8);
  EXPECT_EQ(map.Find(0x1000), 0u);
}

TEST(KernelMap, KeepsAnAddressWithoutAnOwnerUntilItIsReused) {
  KernelMap map;
  EXPECT_TRUE(map.Insert(0x1000, 1, 0));
  map.RemoveOwner(0);
  EXPECT_EQ(map.Find(0x1000), 1u);
  EXPECT_TRUE(map.Insert(0x1000, 2, 7));
  EXPECT_EQ(map.Find(0x1000), 2u);
}

TEST(KernelMap, ForgetsEverythingOnClear) {
  KernelMap map;
  for (uint32_t i = 1; i < 1000; ++i) EXPECT_TRUE(map.Insert(i * 64, i, i % 5));
  map.Clear();
  EXPECT_EQ(map.size(), 0u);
  EXPECT_EQ(map.Find(64), 0u);
  EXPECT_TRUE(map.Insert(64, 9, 7));
  EXPECT_EQ(map.Find(64), 9u);
}

// Random loads and unloads, compared with a simple map.
TEST(KernelMap, AgreesWithAReferenceOverManyGenerations) {
  constexpr unsigned kSeed = 20;
  std::mt19937 random(kSeed);
  KernelMap map;
  std::map<uint64_t, std::pair<uint32_t, uint64_t>> reference;
  uint32_t kernel = 0;
  for (int step = 0; step < 20'000; ++step) {
    const uint64_t owner = 1 + random() % 40;
    if (random() % 20 == 0) {
      map.RemoveOwner(owner);
      std::erase_if(reference, [&](const auto& entry) { return entry.second.second == owner; });
    } else {
      const uint64_t address = 0x7f00'0000'0000 + (random() % 4000) * 64;
      ASSERT_TRUE(map.Insert(address, ++kernel, owner));
      reference[address] = {kernel, owner};
    }
    const uint64_t probe = 0x7f00'0000'0000 + (random() % 4000) * 64;
    const auto found = reference.find(probe);
    ASSERT_EQ(map.Find(probe), found == reference.end() ? 0 : found->second.first) << step;
  }
  EXPECT_EQ(map.size(), reference.size());
}

}  // namespace
}  // namespace rtl::capture
