// SPDX-License-Identifier: MIT
#include "base/sched_point.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <string>

namespace rtl {
namespace {

uint64_t HoldsOf(uint64_t seed) {
  SetSchedule(seed);
  for (int i = 0; i < 500; ++i) {
    for (int point = 0; point < 8; ++point) SchedPoint(std::to_string(point).c_str());
  }
  const uint64_t holds = SchedPointHolds();
  SetSchedule(0);
  return holds;
}

TEST(SchedPoint, DelaysNoThreadWithoutASchedule) {
  SetSchedule(0);
  SchedPoint("somewhere");
  EXPECT_EQ(SchedPointHolds(), 0u);
}

TEST(SchedPoint, DelaysTheSameForTheSameSeed) {
  const uint64_t first = HoldsOf(7);
  EXPECT_GT(first, 0u);
  EXPECT_EQ(HoldsOf(7), first);
  EXPECT_NE(HoldsOf(8), first);
}

TEST(SchedPoint, LeavesErrnoAlone) {
  SetSchedule(3);
  errno = E2BIG;
  for (int i = 0; i < 1000; ++i) SchedPoint("somewhere");
  SetSchedule(0);
  EXPECT_EQ(errno, E2BIG);
}

}  // namespace
}  // namespace rtl
