// SPDX-License-Identifier: MIT
#include "export/lanes.h"

#include <gtest/gtest.h>

namespace rtl::exporting {
namespace {

TEST(FlatLanes, KeepsConsecutiveSlicesOnOneLane) {
  FlatLanes lanes;
  EXPECT_EQ(lanes.Place(0, 10), 0u);
  EXPECT_EQ(lanes.Place(10, 20), 0u);  // touching slices do not overlap
  EXPECT_EQ(lanes.Place(30, 40), 0u);
}

//  lane 0  [0,100)              [100,110)
//  lane 1       [10,20) [20,30)
//  lane 2          [15,50)
TEST(FlatLanes, OpensALaneOnlyWhenNoOtherIsFree) {
  FlatLanes lanes;
  EXPECT_EQ(lanes.Place(0, 100), 0u);
  EXPECT_EQ(lanes.Place(10, 20), 1u);
  EXPECT_EQ(lanes.Place(15, 50), 2u);
  EXPECT_EQ(lanes.Place(20, 30), 1u);
  EXPECT_EQ(lanes.Place(100, 110), 0u);
}

TEST(FlatLanes, NeverPutsOverlapsTogetherEvenOutOfOrder) {
  FlatLanes lanes;
  EXPECT_EQ(lanes.Place(100, 200), 0u);
  EXPECT_EQ(lanes.Place(10, 20), 1u);
}

TEST(FlatLanes, IsBounded) {
  FlatLanes lanes;
  size_t highest = 0;
  for (int i = 0; i < 10000; ++i) highest = std::max(highest, lanes.Place(0, 1000));
  EXPECT_EQ(highest, kMaxLanes - 1);
}

TEST(NestedLane, AcceptsOnlySlicesThatEndNoLaterThanTheOpenOne) {
  NestedLane lane;
  EXPECT_TRUE(FitsInto(lane, 100));
  lane.push_back({.end = 100, .range = 1});
  EXPECT_TRUE(FitsInto(lane, 100));
  EXPECT_FALSE(FitsInto(lane, 101));
}

}  // namespace
}  // namespace rtl::exporting
