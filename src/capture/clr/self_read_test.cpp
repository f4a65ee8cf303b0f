// SPDX-License-Identifier: MIT
#include "capture/clr/self_read.h"

#include <gtest/gtest.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace rtl::capture {
namespace {

uint64_t Address(const void* at) { return reinterpret_cast<uint64_t>(at); }

// Two pages. Only the first is readable.
class SelfReadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    memory_ = static_cast<char*>(
        mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(memory_, MAP_FAILED);
    memset(memory_, 'x', 2 * page_);
    ASSERT_EQ(mprotect(memory_ + page_, page_, PROT_NONE), 0);
  }
  void TearDown() override { munmap(memory_, 2 * page_); }

  size_t page_ = 0;
  char* memory_ = nullptr;
};

TEST_F(SelfReadTest, ReadsUpToTheEndOfMemory) {
  char out[64];
  EXPECT_EQ(SelfRead(Address(memory_ + page_ - 10), out, sizeof out), 10u);
  EXPECT_EQ(SelfRead(Address(memory_ + page_), out, sizeof out), 0u);
  EXPECT_EQ(SelfRead(0, out, sizeof out), 0u);
  EXPECT_EQ(SelfRead(UINT64_MAX - 8, out, sizeof out), 0u);
}

TEST_F(SelfReadTest, ReadsMoreThanOneSystemCallCopies) {
  static char from[100'000], to[100'000];
  for (size_t i = 0; i < sizeof from; ++i) from[i] = static_cast<char>(i * 7);
  EXPECT_EQ(SelfRead(Address(from), to, sizeof to), sizeof to);
  EXPECT_EQ(memcmp(from, to, sizeof to), 0);
}

TEST_F(SelfReadTest, RejectsATextWithoutTerminator) {
  char out[32];
  memcpy(memory_ + page_ - 4, "end", 4);
  EXPECT_TRUE(SelfReadText(Address(memory_ + page_ - 4), out, sizeof out));
  EXPECT_STREQ(out, "end");
  memcpy(memory_ + page_ - 4, "endx", 4);
  EXPECT_FALSE(SelfReadText(Address(memory_ + page_ - 4), out, sizeof out));
  EXPECT_FALSE(SelfReadText(0, out, sizeof out));
  EXPECT_FALSE(SelfReadText(Address(""), out, sizeof out));
}

TEST_F(SelfReadTest, TruncatesALongText) {
  char out[8];
  EXPECT_TRUE(SelfReadText(Address(memory_), out, sizeof out));
  EXPECT_STREQ(out, "xxxxxxx");
}

TEST(SelfRead, WorksHere) { EXPECT_TRUE(SelfReadWorks()); }

}  // namespace
}  // namespace rtl::capture
