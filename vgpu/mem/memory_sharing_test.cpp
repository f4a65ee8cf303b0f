// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "vgpu/mem/address_space.h"
#include "vgpu/mem/memory_manager.h"

namespace vgpu {
namespace {

constexpr uint64_t kBytes = 4 * kPageBytes;
constexpr uint64_t kSharedVa = 0x7100'0000'0000;
constexpr uint64_t kOther = 0x7200'0000'0000;

class Sharing : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(memory_.Open(uint64_t{64} << 20, 2), 0);
    AllocationRequest request;
    request.va = kSharedVa;
    request.bytes = kBytes;
    ASSERT_EQ(memory_.Allocate(request, &object_), 0);
    ASSERT_EQ(memory_.Describe(object_.handle, &shared_), 0);
  }
  ~Sharing() override {
    for (int gpu = 0; gpu < 2; ++gpu) (void)UnmapRange(gpu, 0, ~uint64_t{0});
    memory_.CloseFile();
  }

  uint8_t* Bytes() { return memory_.HostAddressOf(object_.handle, kBytes); }

  MemoryManager memory_;
  Allocation object_;
  SharedBuffer shared_;
};

TEST_F(Sharing, ImportsTheSameBytesAtAnotherAddress) {
  Allocation imported;
  uint32_t done = 0;
  const int gpus[] = {1};
  ASSERT_EQ(memory_.Import(shared_, 1, kOther, &imported), 0);
  ASSERT_EQ(memory_.Map(imported.handle, gpus, &done), 0);
  EXPECT_EQ(Translate(1, kOther + 7, 1), Bytes() + 7);
  EXPECT_EQ(imported.mmap_offset, object_.mmap_offset);
  ASSERT_EQ(memory_.Unmap(imported.handle, gpus, &done), 0);
  EXPECT_EQ(memory_.Free(imported.handle), 0);
}

TEST_F(Sharing, KeepsTheMemoryUntilTheLastNameIsGone) {
  const uint64_t before = memory_.FreeVram(0);
  uint32_t buffer = 0;
  ASSERT_EQ(memory_.OpenBuffer(shared_, 0, &buffer), 0);
  ASSERT_EQ(memory_.Free(object_.handle), 0);
  EXPECT_EQ(memory_.FreeVram(0), before);
  ASSERT_EQ(memory_.CloseBuffer(buffer, 0), 0);
  EXPECT_EQ(memory_.FreeVram(0), before + kBytes);
  EXPECT_EQ(memory_.OpenBuffer(shared_, 0, &buffer), -ENOENT);
  EXPECT_EQ(memory_.Counts().objects, 0u);
}

TEST_F(Sharing, KnowsABufferByOneNumberPerGpu) {
  uint32_t first = 0;
  uint32_t second = 0;
  ASSERT_EQ(memory_.OpenBuffer(shared_, 0, &first), 0);
  ASSERT_EQ(memory_.OpenBuffer(shared_, 0, &second), 0);
  EXPECT_EQ(first, second);
  EXPECT_EQ(memory_.CloseBuffer(first, 1), -EINVAL);  // never opened there
  EXPECT_EQ(memory_.CloseBuffer(first, 0), 0);
  EXPECT_EQ(memory_.CloseBuffer(first, 0), -EINVAL);
}

TEST_F(Sharing, MapsPartsOfABufferAndUnmapsThemAsTheyWere) {
  uint32_t buffer = 0;
  ASSERT_EQ(memory_.OpenBuffer(shared_, 0, &buffer), 0);
  ASSERT_EQ(memory_.MapBuffer(buffer, 0, kPageBytes, 2 * kPageBytes, kOther), 0);
  EXPECT_EQ(Translate(0, kOther, 2 * kPageBytes), Bytes() + kPageBytes);
  EXPECT_EQ(Translate(0, kOther + 2 * kPageBytes, 1), nullptr);
  EXPECT_EQ(memory_.UnmapBuffer(buffer, 0, kPageBytes, kOther), -EINVAL);
  EXPECT_EQ(memory_.UnmapBuffer(buffer, 1, 2 * kPageBytes, kOther), -ENOENT);
  ASSERT_EQ(memory_.UnmapBuffer(buffer, 0, 2 * kPageBytes, kOther), 0);
  EXPECT_EQ(Translate(0, kOther, 1), nullptr);
  EXPECT_EQ(memory_.MapBuffer(buffer, 0, kPageBytes, kBytes, kOther), -EINVAL);  // too long
  EXPECT_EQ(memory_.MapBuffer(buffer, 1, 0, kBytes, kOther), -ENOENT);           // not opened there
}

TEST_F(Sharing, UnmapsWhatIsLeftWhenABufferIsClosed) {
  uint32_t buffer = 0;
  ASSERT_EQ(memory_.OpenBuffer(shared_, 0, &buffer), 0);
  ASSERT_EQ(memory_.MapBuffer(buffer, 0, 0, kBytes, kOther), 0);
  EXPECT_EQ(memory_.Counts().mappings, 1u);
  ASSERT_EQ(memory_.CloseBuffer(buffer, 0), 0);
  EXPECT_EQ(Translate(0, kOther, 1), nullptr);
  EXPECT_EQ(memory_.Counts().mappings, 0u);
}

TEST_F(Sharing, RefusesToDescribeOtherMemoryThanTheDevices) {
  int value = 0;
  AllocationRequest request;
  request.va = kOther;
  request.bytes = kPageBytes;
  request.kind = MemoryKind::kUserPages;
  request.user_address = reinterpret_cast<uint64_t>(&value);
  Allocation pages;
  ASSERT_EQ(memory_.Allocate(request, &pages), 0);
  EXPECT_EQ(memory_.Describe(pages.handle, &shared_), -EINVAL);
  EXPECT_EQ(memory_.Describe(12345, &shared_), -EINVAL);
}

TEST_F(Sharing, KeepsTheNotesOfABuffer) {
  uint32_t buffer = 0;
  ASSERT_EQ(memory_.OpenBuffer(shared_, 0, &buffer), 0);
  BufferNotes notes;
  notes.flags = 3;
  notes.data[63] = 99;
  ASSERT_EQ(memory_.SetNotes(buffer, notes), 0);
  ASSERT_EQ(memory_.Describe(object_.handle, &shared_), 0);
  EXPECT_EQ(shared_.notes.data[63], 99u);
  SharedBuffer got;
  ASSERT_EQ(memory_.DescribeBuffer(buffer, &got), 0);
  EXPECT_EQ(got.notes.flags, 3u);
  EXPECT_EQ(memory_.DescribeBuffer(buffer + 1, &got), -ENOENT);
}

// The other process's work on `shared`; returns its exit code.
int ChangeTheBytes(const SharedBuffer& shared) {
  MemoryManager memory;
  if (memory.Open(uint64_t{64} << 20, 2) != 0) return 2;
  uint32_t buffer = 0;
  if (memory.OpenBuffer(shared, 1, &buffer) != 0) return 3;
  if (memory.MapBuffer(buffer, 1, 0, kBytes, kOther) != 0) return 4;
  uint8_t* bytes = Translate(1, kOther, kBytes);
  if (bytes == nullptr || bytes[5] != 55) return 5;
  bytes[6] = 66;
  // Also through the render node.
  uint64_t place = 0;
  if (memory.MmapOffsetOf(buffer, &place) != 0) return 6;
  const int file = memory.FileAt(&place);
  void* mapped = mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, file, static_cast<off_t>(place));
  if (mapped == MAP_FAILED || static_cast<uint8_t*>(mapped)[6] != 66) return 7;
  if (memory.CloseBuffer(buffer, 1) != 0) return 8;
  // An object with it can be passed on, and is still its owner's.
  Allocation object;
  SharedBuffer passed;
  if (memory.Import(shared, 1, kOther, &object) != 0) return 9;
  if (memory.Describe(object.handle, &passed) != 0) return 10;
  return passed.pid == shared.pid && passed.id == shared.id ? 0 : 11;
}

TEST_F(Sharing, ReachesAnotherProcess) {
  Bytes()[5] = 55;
  const pid_t child = fork();
  if (child == 0) _exit(ChangeTheBytes(shared_));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(Bytes()[6], 66);
}

TEST_F(Sharing, FailsWhenTheOwnerHasEnded) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  shared_.pid = child;
  uint32_t buffer = 0;
  EXPECT_EQ(memory_.OpenBuffer(shared_, 0, &buffer), -ENOENT);
}

}  // namespace
}  // namespace vgpu
