// SPDX-License-Identifier: MIT
#include "trace/schema/strings.h"

#include <gtest/gtest.h>

namespace rtl::store {
namespace {

TEST(CleanText, KeepsValidText) {
  for (const char* text : {"", "plain",
                           ("gr\xc3\xb6\xc3\x9f"
                            "er"),
                           "\xe6\xbc\xa2", "\xf0\x9f\x98\x80"}) {
    EXPECT_EQ(CleanText(text), text);
  }
}

TEST(CleanText, ReplacesInvalidUtf8) {
  EXPECT_EQ(CleanText("a\xff"
                      "b"),
            "a?b");
  EXPECT_EQ(CleanText("cut \xc3"), "cut ?") << "the second byte is missing";
  EXPECT_EQ(CleanText("\xc0\xaf"), "??") << "overlong";
  EXPECT_EQ(CleanText("\xed\xa0\x80"), "???") << "half of a surrogate pair";
  EXPECT_EQ(CleanText("\xf5\x80\x80\x80"), "????") << "beyond the last code point";
}

TEST(CleanText, EndsAtAZeroByte) { EXPECT_EQ(CleanText(std::string_view("ab\0cd", 5)), "ab"); }

class StringsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(database_.Open(":memory:", "memory").ok());
    ASSERT_TRUE(database_
                    .Execute("CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY,"
                             " string TEXT NOT NULL UNIQUE)")
                    .ok());
    ASSERT_TRUE(strings_.Prepare(database_).ok());
  }
  int64_t Intern(std::string_view text) {
    int64_t id = 0;
    EXPECT_TRUE(strings_.Intern(text, &id).ok());
    return id;
  }
  int64_t Once(std::string_view text) {
    int64_t id = 0;
    EXPECT_TRUE(strings_.InternOnce(text, &id).ok());
    return id;
  }

  Database database_;
  Strings strings_;
};

TEST_F(StringsTest, GivesATextOneIdByEitherWay) {
  const int64_t both = Once("both");
  EXPECT_EQ(Intern("both"), both);
  EXPECT_EQ(Once("both"), both);
  EXPECT_EQ(Once("other"), both + 1);
}

TEST_F(StringsTest, FindsForgottenTexts) {
  const int64_t first = Once("text 0");
  for (size_t i = 1; i <= Strings::kMaxOnce; ++i) (void)Once("text " + std::to_string(i));
  EXPECT_EQ(Once("text 0"), first);
  EXPECT_EQ(Intern("text 1"), first + 1);
  EXPECT_EQ(Intern("new"), first + static_cast<int64_t>(Strings::kMaxOnce) + 1);
}

}  // namespace
}  // namespace rtl::store
