// SPDX-License-Identifier: MIT
#include "vgpu/kfd/dmabuf.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace vgpu {
namespace {

TEST(Dmabuf, DescribesItsBuffer) {
  SharedBuffer shared;
  shared.pid = getpid();
  shared.id = 77;
  shared.file = 9;
  shared.offset = uint64_t{3} << 40;
  shared.bytes = 12 * 4096;
  shared.gpu = 3;
  shared.vram = true;
  shared.notes.size = 8;
  shared.notes.data[1] = 4711;
  const int fd = MakeDmabuf(shared, O_CLOEXEC);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(lseek(fd, 0, SEEK_END), 12 * 4096);
  EXPECT_EQ(mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0), MAP_FAILED);
  const int copy = dup(fd);
  close(fd);
  SharedBuffer read;
  ASSERT_EQ(ReadDmabuf(copy, &read), 0);
  EXPECT_EQ(read.pid, shared.pid);
  EXPECT_EQ(read.id, 77u);
  EXPECT_EQ(read.file, 9);
  EXPECT_EQ(read.offset, shared.offset);
  EXPECT_EQ(read.bytes, shared.bytes);
  EXPECT_EQ(read.gpu, 3);
  EXPECT_TRUE(read.vram);
  EXPECT_EQ(read.notes.size, 8u);
  EXPECT_EQ(read.notes.data[1], 4711u);
  close(copy);
}

TEST(Dmabuf, RefusesOtherDescriptors) {
  SharedBuffer read;
  const int other = memfd_create("vgpu-dmabuf", 0);
  EXPECT_EQ(ReadDmabuf(other, &read), -EINVAL);
  close(other);
  EXPECT_EQ(ReadDmabuf(other, &read), -EBADF);
}

}  // namespace
}  // namespace vgpu
