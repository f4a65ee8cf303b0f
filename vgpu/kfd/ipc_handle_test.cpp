// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "vgpu/kfd/dmabuf.h"
#include "vgpu/mem/arena.h"

namespace vgpu {
namespace {

SharedBuffer Largest() {
  SharedBuffer shared;
  shared.pid = (1 << 22) - 1;
  shared.id = (1 << 24) - 1;
  shared.file = 4095;
  shared.offset = ((uint64_t{1} << 34) - 1) * kPageBytes;
  shared.bytes = ((uint64_t{1} << 30) - 1) * kPageBytes;
  shared.gpu = 7;
  shared.vram = true;
  return shared;
}

TEST(IpcHandle, DescribesItsBuffer) {
  const SharedBuffer shared = Largest();
  uint32_t handle[4];
  ASSERT_TRUE(PackIpcHandle(shared, handle));
  SharedBuffer read;
  ASSERT_TRUE(UnpackIpcHandle(handle, &read));
  EXPECT_EQ(read.pid, shared.pid);
  EXPECT_EQ(read.id, shared.id);
  EXPECT_EQ(read.file, shared.file);
  EXPECT_EQ(read.offset, shared.offset);
  EXPECT_EQ(read.bytes, shared.bytes);
  EXPECT_EQ(read.gpu, 7);
  EXPECT_TRUE(read.vram);
}

TEST(IpcHandle, RefusesNumbersThatDoNotFit) {
  uint32_t handle[4];
  SharedBuffer shared = Largest();
  ++shared.id;
  EXPECT_FALSE(PackIpcHandle(shared, handle));
  shared = Largest();
  ++shared.file;
  EXPECT_FALSE(PackIpcHandle(shared, handle));
}

TEST(IpcHandle, RefusesOtherHandles) {
  const uint32_t zeros[4] = {};
  SharedBuffer read;
  EXPECT_FALSE(UnpackIpcHandle(zeros, &read));
}

}  // namespace
}  // namespace vgpu
