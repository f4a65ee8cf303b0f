// SPDX-License-Identifier: MIT
// The memory of a chunk is there before its records are.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <fstream>
#include <string>
#include <thread>

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

long FaultsOfThisThread() {
  rusage usage;
  EXPECT_EQ(getrusage(RUSAGE_THREAD, &usage), 0);
  return usage.ru_minflt;
}

long FaultsOfAStore(uintptr_t at) {
  (void)FaultsOfThisThread();
  const long before = FaultsOfThisThread();
  // No sanitizer has memory of its own for this one.
  asm volatile("movb $0, %0" : "=m"(*reinterpret_cast<char*>(at)));
  return FaultsOfThisThread() - before;
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
  const auto state_of = [&](size_t chunk) {
    const auto* header = reinterpret_cast<const ChunkHeader*>(segment + chunk * kChunkBytes);
    return header->state.load();
  };
  const auto end_of = [&](size_t chunk) { return segment + (chunk + 1) * kChunkBytes - 1; };
  uint64_t id = 0;
  while (state_of(2) == ChunkState::kFree) ASSERT_TRUE(WriteDispatch(writer, 1, ++id));
  EXPECT_EQ(FaultsOfAStore(end_of(2)), 0);

  ASSERT_EQ(state_of(3), ChunkState::kFree);
  std::thread([&] {
    ASSERT_TRUE(WriteDispatch(writer, 1, ++id));
    ASSERT_NE(state_of(3), ChunkState::kFree);
    EXPECT_EQ(FaultsOfAStore(end_of(3)), 1) << "a thread with few records does not pay for all";
  }).join();
  writer.Finish();
}

}  // namespace
}  // namespace rtl::spool
