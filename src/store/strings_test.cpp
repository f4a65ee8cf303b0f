// SPDX-License-Identifier: MIT
#include "store/strings.h"

#include <gtest/gtest.h>

namespace rtl::store {
namespace {

TEST(CleanText, KeepsValidText) {
  for (const char* text : {"", "plain",
                           "gr\xc3\xb6\xc3\x9f"
                           "er",
                           "\xe6\xbc\xa2", "\xf0\x9f\x98\x80"}) {
    EXPECT_EQ(CleanText(text), text);
  }
}

TEST(CleanText, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(CleanText("a\xff"
                      "b"),
            "a?b");
  EXPECT_EQ(CleanText("cut \xc3"), "cut ?") << "the second byte is missing";
  EXPECT_EQ(CleanText("\xc0\xaf"), "??") << "overlong";
  EXPECT_EQ(CleanText("\xed\xa0\x80"), "???") << "half of a surrogate pair";
  EXPECT_EQ(CleanText("\xf5\x80\x80\x80"), "????") << "beyond the last code point";
}

TEST(CleanText, EndsAtAZeroByte) { EXPECT_EQ(CleanText(std::string_view("ab\0cd", 5)), "ab"); }

}  // namespace
}  // namespace rtl::store
