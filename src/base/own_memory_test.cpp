// SPDX-License-Identifier: MIT
#include "base/own_memory.h"

#include <gtest/gtest.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace rtl {
namespace {

uint64_t Address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

TEST(OwnMemory, ReadsReadableMemory) {
  const char text[] = "a descriptor";
  char copy[sizeof text] = {};
  ASSERT_TRUE(ReadOwnMemory(Address(text), copy, sizeof copy));
  EXPECT_STREQ(copy, text);
}

TEST(OwnMemory, RefusesUnreadableMemory) {
  char copy[64];
  EXPECT_FALSE(ReadOwnMemory(0, copy, sizeof copy));
  EXPECT_FALSE(ReadOwnMemory(0xffff'8000'0000'0000, copy, sizeof copy));
}

// | readable page | forbidden page |
//              [ 64 ]
TEST(OwnMemory, RefusesWhenTheEndIsUnreadable) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* pages = mmap(nullptr, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  char* second = static_cast<char*>(pages) + page;
  ASSERT_EQ(munmap(second, page), 0);
  char copy[64];
  EXPECT_FALSE(ReadOwnMemory(Address(second - 32), copy, sizeof copy));
  EXPECT_TRUE(ReadOwnMemory(Address(second - 64), copy, sizeof copy));
  ASSERT_EQ(munmap(pages, page), 0);
}

}  // namespace
}  // namespace rtl
