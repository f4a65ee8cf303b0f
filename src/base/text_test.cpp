// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <gtest/gtest.h>
#include <string.h>

#include <string>

namespace rtl {
namespace {

std::string Expand(const char* pattern) {
  char out[64];
  return ExpandPattern(pattern, 4711, "node7", out, sizeof out) ? out : "<does not fit>";
}

TEST(Text, CutsBetweenCharacters) {
  const char* text = "a\xc3\xa4\xe2\x82\xac";  // 1 + 2 + 3 bytes
  EXPECT_EQ(TextPrefix(text, 6, 6), 6u);
  EXPECT_EQ(TextPrefix(text, 6, 5), 3u);
  EXPECT_EQ(TextPrefix(text, 6, 4), 3u);
  EXPECT_EQ(TextPrefix(text, 6, 3), 3u);
  EXPECT_EQ(TextPrefix(text, 6, 2), 1u);
  EXPECT_EQ(TextPrefix(text, 6, 1), 1u);
  EXPECT_EQ(TextPrefix(text, 6, 0), 0u);
}

TEST(Text, CutsInvalidUtf8AtTheLimit) {
  const char bytes[8] = {'\x80', '\x80', '\x80', '\x80', '\x80', '\x80', '\x80', '\x80'};
  EXPECT_EQ(TextPrefix(bytes, sizeof bytes, 6), 6u);
  EXPECT_EQ(TextPrefix(bytes, sizeof bytes, 1), 1u);
}

TEST(Text, CopiesTerminatedAndReportsACut) {
  char out[4];
  EXPECT_TRUE(CopyText(out, sizeof out, "abc"));
  EXPECT_STREQ(out, "abc");
  EXPECT_FALSE(CopyText(out, sizeof out, "abcd"));
  EXPECT_STREQ(out, "abc");
  EXPECT_FALSE(CopyText(out, sizeof out, "ab\xc3\xa4"));
  EXPECT_STREQ(out, "ab");
  EXPECT_TRUE(CopyText(out, sizeof out, nullptr));
  EXPECT_STREQ(out, "");
}

TEST(Text, ExpandsPidHostAndPercent) {
  EXPECT_EQ(Expand("trace-%p.db"), "trace-4711.db");
  EXPECT_EQ(Expand("%h/%p%p"), "node7/47114711");
  EXPECT_EQ(Expand("100%%"), "100%");
  EXPECT_EQ(Expand("%d%"), "%d%");
  EXPECT_EQ(Expand(""), "");
}

TEST(Text, RefusesAnExpansionThatDoesNotFit) {
  char out[8] = "before";
  EXPECT_TRUE(ExpandPattern("abc%p", 4711, "h", out, sizeof out));
  EXPECT_STREQ(out, "abc4711");
  EXPECT_FALSE(ExpandPattern("abcd%p", 4711, "h", out, sizeof out));
  EXPECT_STREQ(out, "");
}

TEST(Text, ParsesNumbersInRangeAndNothingElse) {
  uint64_t value = 0;
  EXPECT_TRUE(ParseNumber("0", 0, 9, &value));
  EXPECT_EQ(value, 0u);
  EXPECT_TRUE(ParseNumber("18446744073709551615", 0, UINT64_MAX, &value));
  EXPECT_EQ(value, UINT64_MAX);
  value = 5;
  for (const char* bad : {"", " 1", "1 ", "-1", "0x10", "1e3", "18446744073709551616"}) {
    EXPECT_FALSE(ParseNumber(bad, 0, UINT64_MAX, &value)) << bad;
  }
  EXPECT_FALSE(ParseNumber("10", 0, 9, &value));
  EXPECT_FALSE(ParseNumber("1", 2, 9, &value));
  EXPECT_EQ(value, 5u);
}

}  // namespace
}  // namespace rtl
