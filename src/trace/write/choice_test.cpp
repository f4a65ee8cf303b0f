// SPDX-License-Identifier: MIT
#include "trace/write/choice.h"

#include <gtest/gtest.h>

namespace rtl::store {
namespace {

std::string Posix(const std::string& text) {
  std::string posix;
  return ToPosix(text, &posix) ? posix : "(none)";
}

TEST(NamePattern, TakesWhatPosixWritesOtherwise) {
  EXPECT_EQ(Posix("step\\d+"), "step[0-9]+");
  EXPECT_EQ(Posix("(?:a|b)\\D"), "(a|b)[^0-9]");
  EXPECT_EQ(Posix("[\\d_]x[]\\d]"), "[0-9_]x[]0-9]");
  EXPECT_EQ(Posix("[^]\\d]\\(?"), "[^]0-9]\\(?");
  EXPECT_EQ(Posix("[(?]"), "[(?]");
  EXPECT_EQ(Posix("a(?=b)"), "(none)");
}

TEST(NamePattern, SaysWhatIsWrong) {
  EXPECT_EQ(NamePattern().Compile("gemm("), "Unmatched ( or \\(");
  EXPECT_EQ(NamePattern().Compile("a(?!b)"), "groups as (?=...) are not supported");
  EXPECT_NE(NamePattern().Compile("(((a{99}){99}){99})"), "");
}

TEST(NamePattern, IgnoresCaseOnRequest) {
  NamePattern exact, any;
  ASSERT_EQ(exact.Compile("sq_"), "");
  ASSERT_EQ(any.Compile("sq_", true), "");
  EXPECT_FALSE(exact.IsIn("SQ_WAVES"));
  EXPECT_TRUE(any.IsIn("SQ_WAVES"));
}

}  // namespace
}  // namespace rtl::store
