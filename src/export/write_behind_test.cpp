// SPDX-License-Identifier: MIT
#include "export/write_behind.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <string>

#include "tests/support/no_threads.h"

namespace rtl::exporting {
namespace {

void Fill(WriteBehind::Buffer* buffer, const std::string& text) {
  ASSERT_EQ(buffer->used, 0u);
  std::memcpy(buffer->bytes.get(), text.data(), text.size());
  buffer->used = text.size();
}

TEST(WriteBehind, WritesAllInOrder) {
  std::string written;
  std::string expected;
  WriteBehind behind([&](std::string_view bytes) {
    written += bytes;
    return Status::Ok();
  });
  WriteBehind::Buffer buffer;
  for (int i = 0; i < 1000; ++i) {
    Fill(&buffer, std::to_string(i) + " ");
    expected += std::to_string(i) + " ";
    ASSERT_TRUE(behind.Give(&buffer).ok());
  }
  ASSERT_TRUE(behind.Finish().ok());
  EXPECT_EQ(written, expected);
}

TEST(WriteBehind, WritesItselfWhenTheSystemHasNoThread) {
  const test::NoThreads none;
  std::string written;
  WriteBehind behind([&](std::string_view bytes) {
    written += bytes;
    return written.size() < 3 ? Status::Ok() : Status::Error("full");
  });
  WriteBehind::Buffer buffer;
  Fill(&buffer, "1");
  EXPECT_TRUE(behind.Give(&buffer).ok());
  Fill(&buffer, "23");
  EXPECT_STREQ(behind.Give(&buffer).message(), "full");
  EXPECT_EQ(written, "123") << "at once";
  Fill(&buffer, "4");
  EXPECT_STREQ(behind.Give(&buffer).message(), "full");
  EXPECT_STREQ(behind.Finish().message(), "full");
  EXPECT_EQ(written, "123");
}

TEST(WriteBehind, WritesNothingAfterAFailure) {
  int writes = 0;
  WriteBehind behind([&](std::string_view) {
    return ++writes < 3 ? Status::Ok() : Status::Error("number %d failed", writes);
  });
  WriteBehind::Buffer buffer;
  for (int i = 0; i < 20; ++i) {
    Fill(&buffer, "text");
    (void)behind.Give(&buffer);  // reports it some buffers later
  }
  Fill(&buffer, "text");
  EXPECT_STREQ(behind.Give(&buffer).message(), "number 3 failed");
  EXPECT_STREQ(behind.Finish().message(), "number 3 failed");
  EXPECT_EQ(writes, 3);
}

TEST(WriteBehind, EndsWithoutWritingTheRest) {
  std::atomic<int> writes = 0;
  {
    WriteBehind behind([&](std::string_view) {
      ++writes;
      return Status::Ok();
    });
    WriteBehind::Buffer buffer;
    for (size_t i = 0; i < WriteBehind::kBuffers; ++i) {
      Fill(&buffer, "text");
      ASSERT_TRUE(behind.Give(&buffer).ok());
    }
  }
  EXPECT_LE(writes, static_cast<int>(WriteBehind::kBuffers));
}

}  // namespace
}  // namespace rtl::exporting
