// SPDX-License-Identifier: MIT
#include "analysis/text.h"

#include <gtest/gtest.h>

namespace rtl::analysis {
namespace {

TEST(Grouped, PutsACommaBeforeEveryThirdDigit) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
  EXPECT_EQ(Grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Duration, PicksTheUnitThatKeepsTheNumberShort) {
  EXPECT_EQ(Duration(0), "0 ns");
  EXPECT_EQ(Duration(999), "999 ns");
  EXPECT_EQ(Duration(1000), "1.00 us");
  EXPECT_EQ(Duration(12345), "12.35 us");
  EXPECT_EQ(Duration(4'560'000), "4.56 ms");
  EXPECT_EQ(Duration(1'234'000'000), "1.234 s");
}

TEST(Duration, NeverRoundsUpToAThousandOfAUnit) {
  EXPECT_EQ(Duration(999'994), "999.99 us");
  EXPECT_EQ(Duration(999'999), "1.00 ms");
  EXPECT_EQ(Duration(999'999'999), "1.000 s");
}

TEST(Percent, HasOneDecimal) {
  EXPECT_EQ(Percent(0), "0.0 %");
  EXPECT_EQ(Percent(0.4512), "45.1 %");
  EXPECT_EQ(Percent(1), "100.0 %");
}

}  // namespace
}  // namespace rtl::analysis
