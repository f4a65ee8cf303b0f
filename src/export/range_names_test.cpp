// SPDX-License-Identifier: MIT
#include "export/range_names.h"

#include <gtest/gtest.h>

namespace rtl::exporting {
namespace {

constexpr int64_t kOuter = 1, kInner = 2, kMark = 3;

TEST(RangeNames, ARangeNamesWhatIsSubmittedInIt) {
  RangeNames names;
  EXPECT_EQ(names.At(5), 0);
  names.Begin(kOuter, 10, 100);
  EXPECT_EQ(names.At(10), kOuter);
  names.Begin(kInner, 20, 30);
  EXPECT_EQ(names.At(30), kInner);
  EXPECT_EQ(names.At(31), kOuter);
  EXPECT_EQ(names.At(101), 0);
}

TEST(RangeNames, AMarkNamesWhatFollows) {
  RangeNames names;
  names.Mark(kMark, 10);
  EXPECT_EQ(names.At(1000), kMark);
  names.Begin(kInner, 1001, 1010);
  EXPECT_EQ(names.At(1005), kInner);
  EXPECT_EQ(names.At(1011), kMark);
}

// As AMD's tool: what is on top is taken off.
TEST(RangeNames, TheEndOfARangeTakesAwayAMarkInIt) {
  RangeNames names;
  names.Begin(kOuter, 10, 100);
  names.Mark(kMark, 20);
  EXPECT_EQ(names.At(30), kMark);
  EXPECT_EQ(names.At(101), kOuter);
}

}  // namespace
}  // namespace rtl::exporting
