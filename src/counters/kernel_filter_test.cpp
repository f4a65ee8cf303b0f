// SPDX-License-Identifier: MIT
#include "counters/kernel_filter.h"

#include <gtest/gtest.h>

#include <string>

namespace rtl::counters {
namespace {

TEST(KernelFilterTest, ChoosesByTheNameThatPeopleRead) {
  KernelFilter filter;
  ASSERT_TRUE(filter.Parse("include ^gemm\nexclude float\n").ok());
  EXPECT_TRUE(filter.any());
  filter.Note(1, "_Z4gemmPfi.kd");  // gemm(float*, int)
  filter.Note(2, "_Z4gemmPdi.kd");  // gemm(double*, int)
  filter.Note(3, "gemm_c.kd");
  filter.Note(4, "copy.kd");
  EXPECT_FALSE(filter.Wants(1));
  EXPECT_TRUE(filter.Wants(2));
  EXPECT_TRUE(filter.Wants(3));
  EXPECT_FALSE(filter.Wants(4));
}

TEST(KernelFilterTest, NamesAKernelWithoutASymbolAsTheTraceDoes) {
  KernelFilter none;
  ASSERT_TRUE(none.Parse("include ^$").ok());
  none.Note(1, "");
  EXPECT_FALSE(none.Wants(1));
  KernelFilter unknown;
  ASSERT_TRUE(unknown.Parse("include unknown").ok());
  unknown.Note(1, "");
  unknown.Note(2, "a.kd");
  EXPECT_TRUE(unknown.Wants(1));
  EXPECT_FALSE(unknown.Wants(2));
}

TEST(KernelFilterTest, CountsLaunchesOfEachName) {
  KernelFilter filter;
  ASSERT_TRUE(filter.Parse("launches 2-3,5").ok());
  filter.Note(1, "a.kd");
  filter.Note(2, "b.kd");
  filter.Note(700, "a.kd");  // loaded again
  std::string wanted;
  for (int i = 0; i < 6; ++i) wanted += filter.Wants(i % 2 == 0 ? 1 : 700) ? 'y' : 'n';
  EXPECT_EQ(wanted, "nyynyn");
  EXPECT_FALSE(filter.Wants(2));
  EXPECT_TRUE(filter.Wants(2));
}

TEST(KernelFilterTest, NamesWhatItCannotRead) {
  const auto problem = [](const char* text) {
    return std::string(KernelFilter().Parse(text).message());
  };
  EXPECT_EQ(problem("include [").substr(0, 28), "not a regular expression: [ ");
  EXPECT_EQ(problem("launches x"), "launches are numbers and ranges, as 1-2,5");
  EXPECT_EQ(problem("launches 1-"), "a range of launches has an end, as 1-2");
  EXPECT_EQ(problem("launches 5-1"),
            "launches count from 1, and a range ends where it began or later");
  EXPECT_EQ(problem("launches 0"),
            "launches count from 1, and a range ends where it began or later");
  EXPECT_EQ(problem("include (((a{99}){99}){99})"),
            "not a regular expression: (((a{99}){99}){99}) (it has too many repetitions, "
            "alternatives or groups in each other)");
  EXPECT_EQ(problem("only x"), "expected include, exclude or launches, each once: only x");
  KernelFilter none;
  EXPECT_TRUE(none.Parse("").ok());
  EXPECT_FALSE(none.any());
}

}  // namespace
}  // namespace rtl::counters
