// SPDX-License-Identifier: MIT
#include "trace/collect/clock_reading.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace rtl::store {
namespace {

TEST(ClockHistoryTest, HasNoReadingBeforeTheFirst) { EXPECT_TRUE(ClockHistory().Since(0).empty()); }

TEST(ClockHistoryTest, ReadsTheClocksOnceInAPeriod) {
  ClockHistory history;
  history.ReadIfDue();
  history.ReadIfDue();
  EXPECT_EQ(history.Since(0).size(), 2u);  // and a new one
}

TEST(ClockHistoryTest, BeginsWithTheLastReadingBeforeTheTime) {
  ClockHistory history;
  history.ReadIfDue();
  const uint64_t later = BootTimeNs();
  const std::vector<ClockTable> readings = history.Since(later);
  ASSERT_EQ(readings.size(), 2u);
  EXPECT_LE(readings[0].time, later);
  EXPECT_GE(readings[1].time, later);
}

}  // namespace
}  // namespace rtl::store
