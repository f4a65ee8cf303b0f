// SPDX-License-Identifier: MIT
#include "vgpu/mem/process_maps.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace vgpu {
namespace {

constexpr uint64_t kMapsPage = 4096;

// Five pages of which neither the first nor the last may be read.
class ProcessMaps : public ::testing::Test {
 protected:
  ProcessMaps()
      : memory_(static_cast<uint8_t*>(
            mmap(nullptr, 5 * kMapsPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(memory_ + kMapsPage, 3 * kMapsPage, PROT_READ | PROT_WRITE);
  }
  ~ProcessMaps() override { munmap(memory_, 5 * kMapsPage); }

  uint64_t Page(uint64_t number) const {
    return reinterpret_cast<uint64_t>(memory_) + number * kMapsPage;
  }

 private:
  uint8_t* memory_;
};

TEST_F(ProcessMaps, FindsTheBoundsOfAMapping) {
  for (const uint64_t va : {Page(1), Page(2) + 17, Page(4) - 1}) {
    const ProcessMapping found = FindReadable(va);
    EXPECT_EQ(found.begin, Page(1));
    EXPECT_EQ(found.end, Page(4));
  }
}

TEST_F(ProcessMaps, JoinsMappingsOfOtherPermissions) {
  mprotect(reinterpret_cast<void*>(Page(2)), kMapsPage, PROT_READ);
  const ProcessMapping found = FindReadable(Page(3));
  EXPECT_EQ(found.begin, Page(1));
  EXPECT_EQ(found.end, Page(4));
}

TEST_F(ProcessMaps, FindsNothingThatMayNotBeRead) {
  for (const uint64_t va : {Page(0), Page(1) - 1, Page(4), uint64_t{0}, ~uint64_t{0}}) {
    const ProcessMapping found = FindReadable(va);
    EXPECT_EQ(found.begin, found.end);
  }
  munmap(reinterpret_cast<void*>(Page(2)), kMapsPage);
  EXPECT_EQ(FindReadable(Page(2)).end, 0u);
  EXPECT_EQ(FindReadable(Page(1)).end, Page(2));
  EXPECT_EQ(FindReadable(Page(3)).begin, Page(3));
}

TEST_F(ProcessMaps, FindsTheStackAndData) {
  static int data = 0;
  int local = 0;
  for (int* each : {&data, &local}) {
    const auto va = reinterpret_cast<uint64_t>(each);
    const ProcessMapping found = FindReadable(va);
    EXPECT_LE(found.begin, va);
    EXPECT_GE(found.end, va + sizeof *each);
  }
}

}  // namespace
}  // namespace vgpu
