// SPDX-License-Identifier: MIT
// The memory of a chunk is there before its records are.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

#include "base/unique_fd.h"
#include "spool/spool_test_support.h"

namespace rtl::spool {
namespace {

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

// Where this process has mapped the file; zero: nowhere.
uintptr_t AddressOf(const std::string& file) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with(file)) return std::stoull(line, nullptr, 16);
  }
  return 0;
}

// Pages of this chunk that a write finds in memory.
size_t PagesPresent(uintptr_t segment, size_t chunk) {
  constexpr uint64_t kPresent = uint64_t{1} << 63;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const UniqueFd file(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(file.valid());
  size_t present = 0;
  for (size_t at = 0; at < kChunkBytes; at += page) {
    uint64_t entry = 0;
    const size_t number = (segment + chunk * kChunkBytes + at) / page;
    EXPECT_EQ(pread(file.get(), &entry, sizeof entry, static_cast<off_t>(number * sizeof entry)),
              static_cast<ssize_t>(sizeof entry));
    present += (entry & kPresent) != 0;
  }
  return present;
}

bool KernelPopulates() {
  void* const memory =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool populates = madvise(memory, 4096, MADV_POPULATE_WRITE) == 0;
  (void)munmap(memory, 4096);
  return populates;
}

TEST(WriterMemory, IsThereForAWholeChunkWhenAThreadGoesOnInIt) {
  if (!KernelPopulates()) GTEST_SKIP() << "before Linux 5.14";
  test::TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  const uintptr_t segment = AddressOf(".000001.seg");
  ASSERT_NE(segment, 0u);
  const size_t pages = kChunkBytes / static_cast<size_t>(sysconf(_SC_PAGESIZE));
  // The first two chunks are written when the file is made.
  uint64_t id = 0;
  while (PagesPresent(segment, 3) == 0) ASSERT_TRUE(WriteDispatch(writer, 1, ++id));
  EXPECT_EQ(PagesPresent(segment, 3), pages);
  EXPECT_EQ(PagesPresent(segment, 4), 0u);
  std::thread([&] { EXPECT_TRUE(WriteDispatch(writer, 1, ++id)); }).join();
  EXPECT_GT(PagesPresent(segment, 4), 0u);
  EXPECT_LT(PagesPresent(segment, 4), pages) << "a thread with few records does not pay for all";
  writer.Finish();
}

}  // namespace
}  // namespace rtl::spool
