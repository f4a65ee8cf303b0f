// SPDX-License-Identifier: MIT
#include "base/expression_size.h"

#include <gtest/gtest.h>

#include <string>

namespace rtl {
namespace {

TEST(ExpressionSize, UsualExpressionsAreTaken) {
  for (const char* text : {"", "gemm", "^Cijk_.*_MT[0-9]{1,3}x[0-9]{2,4}", "(a|b){3}c{2,}",
                           "[]{}]{9}", "a{", "a{1000}", "x\\{99\\}\\(", "((a{10}){10}){10}"})
    EXPECT_FALSE(ExpressionTooLarge(text)) << text;
  EXPECT_FALSE(ExpressionTooLarge(std::string(100'000, 'k')));
}

TEST(ExpressionSize, NestedRepetitionsAreRefused) {
  for (const char* text : {"(((a{99}){99}){99})", "((((x{9}){9}){9}){9})", "(a?){30000}", "a{5000}",
                           "(ab|[cd]{40}){100}", "a{99999999999999999999}", "((a{50}b){50})"})
    EXPECT_TRUE(ExpressionTooLarge(text)) << text;
  EXPECT_TRUE(ExpressionTooLarge(std::string(40, '(')));
}

TEST(ExpressionSize, ManyAlternativesAreRefused) {
  std::string some = "a", escaped = "a";
  for (int i = 0; i < 900; ++i) some += "|b";
  for (int i = 0; i < 5000; ++i) escaped += "\\|[|]";
  EXPECT_FALSE(ExpressionTooLarge(some));
  EXPECT_FALSE(ExpressionTooLarge(escaped));
  EXPECT_TRUE(ExpressionTooLarge(some + some));
}

}  // namespace
}  // namespace rtl
