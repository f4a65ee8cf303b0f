// SPDX-License-Identifier: MIT
#include "export/utf8.h"

#include <gtest/gtest.h>

namespace rtl::exporting {
namespace {

std::string Repaired(std::string_view text) {
  std::string scratch;
  return std::string(RepairUtf8(text, &scratch));
}

TEST(Utf8, LeavesWellFormedTextAlone) {
  for (const char* text : {"", "kernel<float>",
                           "gr\xC3\xB6\xC3\x9F"
                           "e",
                           "\xE2\x82\xAC", "\xF0\x9F\x9A\x80", "\xF4\x8F\xBF\xBF"}) {
    std::string scratch;
    EXPECT_EQ(RepairUtf8(text, &scratch).data(), text) << text;
  }
}

TEST(Utf8, ReplacesEveryByteOutsideASequence) {
  EXPECT_EQ(Repaired("a\xFF"
                     "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(Repaired("\x80"), "\xEF\xBF\xBD");
  EXPECT_EQ(Repaired("\xC3"), "\xEF\xBF\xBD");                  // cut off
  EXPECT_EQ(Repaired("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // overlong
  EXPECT_FALSE(IsUtf8("\xED\xA0\x80"));                         // surrogate
  EXPECT_FALSE(IsUtf8("\xF4\x90\x80\x80"));                     // above U+10FFFF
  EXPECT_FALSE(IsUtf8("\xE0\x80\x80"));
  EXPECT_FALSE(IsUtf8("\xF0\x80\x80\x80"));
}

TEST(Utf8, RepairsAnyBytesToWellFormedText) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text = {static_cast<char>(first), static_cast<char>(second), 'x'};
      const std::string repaired = Repaired(text);
      ASSERT_TRUE(IsUtf8(repaired)) << first << " " << second;
      ASSERT_EQ(repaired.back(), 'x');
    }
  }
}

}  // namespace
}  // namespace rtl::exporting
