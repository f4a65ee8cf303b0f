// SPDX-License-Identifier: MIT
#include "vgpu/mem/memory_manager.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "vgpu/mem/address_space.h"

namespace vgpu {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;
constexpr uint64_t kVram = 64 * kMegabyte;
constexpr uint64_t kVa = 0x7000'0000'0000;

class Memory : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(memory_.Open(kVram, 2), 0); }
  ~Memory() override {
    for (int gpu = 0; gpu < 2; ++gpu) (void)UnmapRange(gpu, 0, ~uint64_t{0});
    memory_.CloseFile();
  }

  int Allocate(uint64_t va, uint64_t bytes, MemoryKind kind = MemoryKind::kVram, int gpu = 0) {
    AllocationRequest request;
    request.gpu = gpu;
    request.va = va;
    request.bytes = bytes;
    request.kind = kind;
    return memory_.Allocate(request, &last_);
  }

  int MapOn(std::vector<int> gpus) { return memory_.Map(last_.handle, gpus, &done_); }
  int UnmapFrom(std::vector<int> gpus) { return memory_.Unmap(last_.handle, gpus, &done_); }

  MemoryManager memory_;
  Allocation last_;
  uint32_t done_ = 0;
};

TEST_F(Memory, MapsOnTheNamedGpusOnly) {
  ASSERT_EQ(Allocate(kVa, kMegabyte), 0);
  EXPECT_EQ(Translate(0, kVa, 1), nullptr);  // allocated is not mapped
  ASSERT_EQ(MapOn({1}), 0);
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(Translate(0, kVa, 1), nullptr);
  EXPECT_NE(Translate(1, kVa, kMegabyte), nullptr);
  ASSERT_EQ(MapOn({0, 1}), 0);
  EXPECT_EQ(done_, 2u);
  EXPECT_EQ(Translate(0, kVa, 1), Translate(1, kVa, 1));
  ASSERT_EQ(UnmapFrom({1}), 0);
  EXPECT_NE(Translate(0, kVa, 1), nullptr);
  EXPECT_EQ(Translate(1, kVa, 1), nullptr);
}

TEST_F(Memory, CountsObjectsAndMappings) {
  ASSERT_EQ(Allocate(kVa, kMegabyte), 0);
  ASSERT_EQ(MapOn({0, 1}), 0);
  ASSERT_EQ(MapOn({0}), 0);  // is mapped there already
  EXPECT_EQ(memory_.Counts().objects, 1u);
  EXPECT_EQ(memory_.Counts().mappings, 2u);
  ASSERT_EQ(UnmapFrom({0, 1}), 0);
  ASSERT_EQ(UnmapFrom({0}), 0);
  ASSERT_EQ(memory_.Free(last_.handle), 0);
  EXPECT_EQ(memory_.Counts().objects, 0u);
  EXPECT_EQ(memory_.Counts().mappings, 0u);
  EXPECT_EQ(memory_.Counts().objects_created, 1u);
  EXPECT_EQ(memory_.Counts().mappings_created, 2u);
}

TEST_F(Memory, RefusesMoreVramThanAGpuHas) {
  ASSERT_EQ(Allocate(kVa, kVram - kMegabyte), 0);
  EXPECT_EQ(memory_.FreeVram(0), kMegabyte);
  EXPECT_EQ(Allocate(kVa + kVram, 2 * kMegabyte), -ENOMEM);
  EXPECT_EQ(memory_.FreeVram(0), kMegabyte);
  EXPECT_EQ(Allocate(kVa + kVram, 2 * kMegabyte, MemoryKind::kVram, 1), 0);
  EXPECT_EQ(Allocate(kVa + 2 * kVram, 2 * kMegabyte, MemoryKind::kGtt), 0);
  EXPECT_EQ(Allocate(kVa + 3 * kVram, kMegabyte), 0);
  EXPECT_EQ(memory_.FreeVram(0), 0u);
}

TEST_F(Memory, GivesVramBackWhenAnObjectIsFreed) {
  ASSERT_EQ(Allocate(kVa, kVram), 0);
  const uint64_t handle = last_.handle;
  ASSERT_EQ(Allocate(kVa + kVram, kPageBytes), -ENOMEM);
  ASSERT_EQ(memory_.Free(handle), 0);
  EXPECT_EQ(memory_.FreeVram(0), kVram);
  EXPECT_EQ(Allocate(kVa, kVram), 0);
}

TEST_F(Memory, ClearsMemoryOfAPreviousOwner) {
  ASSERT_EQ(Allocate(kVa, kPageBytes), 0);
  const uint64_t offset = last_.mmap_offset;
  std::memset(memory_.HostAddressOf(last_.handle, kPageBytes), 0xab, kPageBytes);
  ASSERT_EQ(memory_.Free(last_.handle), 0);
  ASSERT_EQ(Allocate(kVa, kPageBytes), 0);
  ASSERT_EQ(last_.mmap_offset, offset);
  EXPECT_EQ(*memory_.HostAddressOf(last_.handle, kPageBytes), 0);
}

TEST_F(Memory, KeepsAnObjectThatIsStillMapped) {
  ASSERT_EQ(Allocate(kVa, kPageBytes), 0);
  ASSERT_EQ(MapOn({1}), 0);
  EXPECT_EQ(memory_.Free(last_.handle), -EBUSY);
  EXPECT_NE(Translate(1, kVa, 1), nullptr);
  ASSERT_EQ(UnmapFrom({1}), 0);
  EXPECT_EQ(memory_.Free(last_.handle), 0);
}

TEST_F(Memory, RefusesUnknownHandles) {
  ASSERT_EQ(Allocate(kVa, kPageBytes), 0);
  ASSERT_EQ(memory_.Free(last_.handle), 0);
  EXPECT_EQ(memory_.Free(last_.handle), -EINVAL);
  EXPECT_EQ(MapOn({0}), -EINVAL);
  EXPECT_EQ(UnmapFrom({0}), -EINVAL);
  EXPECT_EQ(memory_.HostAddressOf(last_.handle, 1), nullptr);
}

TEST_F(Memory, RefusesEmptyAndMisalignedObjects) {
  EXPECT_EQ(Allocate(kVa, 0), -EINVAL);
  EXPECT_EQ(Allocate(kVa + 8, kPageBytes), -EINVAL);
  EXPECT_EQ(memory_.Counts().objects, 0u);
}

TEST_F(Memory, RefusesToMapTwoObjectsAtOneAddress) {
  ASSERT_EQ(Allocate(kVa, 2 * kPageBytes), 0);
  ASSERT_EQ(MapOn({0}), 0);
  ASSERT_EQ(Allocate(kVa + kPageBytes, kPageBytes), 0);
  EXPECT_EQ(MapOn({1, 0}), -EINVAL);
  EXPECT_EQ(done_, 1u);  // GPU 1 has nothing there yet
}

TEST_F(Memory, ShowsARegisteredHostBufferAtItsGpuAddress) {
  alignas(kPageBytes) static uint8_t buffer[kPageBytes];
  AllocationRequest request;
  request.va = kVa;
  request.bytes = sizeof(buffer);
  request.kind = MemoryKind::kUserPages;
  request.user_address = reinterpret_cast<uint64_t>(buffer);
  ASSERT_EQ(memory_.Allocate(request, &last_), 0);
  ASSERT_EQ(MapOn({0}), 0);
  EXPECT_EQ(Translate(0, kVa + 5, 1), buffer + 5);
}

//   GPU address   [ ring ][ the same ring ]
TEST_F(Memory, ShowsAQueueRingTwiceInARow) {
  AllocationRequest request;
  request.va = kVa;
  request.bytes = 4 * kPageBytes;
  request.kind = MemoryKind::kGtt;
  request.mapped_twice = true;
  ASSERT_EQ(memory_.Allocate(request, &last_), 0);
  ASSERT_EQ(MapOn({0}), 0);
  EXPECT_EQ(Translate(0, kVa + 8, 1), Translate(0, kVa + 2 * kPageBytes + 8, 1));
  ASSERT_EQ(UnmapFrom({0}), 0);
  EXPECT_EQ(Translate(0, kVa, 1), nullptr);
  EXPECT_EQ(Translate(0, kVa + 2 * kPageBytes, 1), nullptr);
}

TEST_F(Memory, SharesItsBytesThroughTheArenasFile) {
  ASSERT_EQ(Allocate(kVa, kPageBytes, MemoryKind::kGtt), 0);
  uint64_t place = last_.mmap_offset;
  void* mapped = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                      memory_.FileAt(&place), static_cast<off_t>(last_.mmap_offset));
  ASSERT_NE(mapped, MAP_FAILED);
  std::memset(mapped, 0x5a, kPageBytes);
  EXPECT_EQ(*memory_.HostAddressOf(last_.handle, kPageBytes), 0x5a);
  munmap(mapped, kPageBytes);
}

TEST_F(Memory, JoinsFreedNeighboursIntoOneHole) {
  Arena arena;
  ASSERT_EQ(arena.Open(4 * kPageBytes), 0);
  for (uint64_t i = 0; i < 4; ++i) ASSERT_EQ(arena.Allocate(kPageBytes), i * kPageBytes);
  EXPECT_EQ(arena.Allocate(kPageBytes), std::nullopt);
  arena.Free(0, kPageBytes);
  arena.Free(2 * kPageBytes, kPageBytes);
  EXPECT_EQ(arena.Allocate(2 * kPageBytes), std::nullopt);
  arena.Free(kPageBytes, kPageBytes);
  EXPECT_EQ(arena.Allocate(3 * kPageBytes), 0u);
  arena.CloseFile();
}

}  // namespace
}  // namespace vgpu
