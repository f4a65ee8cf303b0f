// SPDX-License-Identifier: MIT
#include "capture/clr/clr_clock.h"

#include <gtest/gtest.h>

#include <string>

namespace rtl::capture {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

// BOOTTIME, MONOTONIC (5 s behind), REALTIME (a million seconds ahead), RAW (7 s behind).
ClrClockSample At(uint64_t boot) {
  return {{boot, boot - 5 * kSecond, boot + 1'000'000 * kSecond, boot - 7 * kSecond}};
}

class ClrClockTest : public ::testing::Test {
 protected:
  void SetUp() override {
    clock_.Begin(At(100 * kSecond), At(100 * kSecond + 50'000));
    clock_.Advance(At(110 * kSecond));
  }
  ClrClock clock_;
};

TEST_F(ClrClockTest, ChoosesTheClockThatContainsTheCall) {
  for (size_t i = 0; i < kClrClocks; ++i) {
    const uint64_t start = At(100 * kSecond + 10'000).at[i];
    ASSERT_TRUE(clock_.ChooseByCall(start, start + 1000));
    uint64_t boot = 0;
    ASSERT_TRUE(clock_.ToBootTime(At(105 * kSecond).at[i], &boot));
    EXPECT_EQ(boot, 105 * kSecond) << clock_.name();
  }
}

TEST_F(ClrClockTest, ChoosesNoClockForATimeOfNone) {
  EXPECT_FALSE(clock_.ChooseByCall(3 * kSecond, 3 * kSecond + 10));
  EXPECT_FALSE(clock_.chosen());
  uint64_t boot = 0;
  EXPECT_FALSE(clock_.ToBootTime(100 * kSecond, &boot));
  EXPECT_STREQ(clock_.name(), "none");
}

TEST_F(ClrClockTest, AcceptsAnyPlausibleTimeWithoutTheCall) {
  const uint64_t start = At(104 * kSecond).at[2];
  EXPECT_FALSE(clock_.ChooseByCall(start, start + 10));
  ASSERT_TRUE(clock_.ChooseByPlausibility(start, start + 10, At(110 * kSecond)));
  EXPECT_STREQ(clock_.name(), "CLOCK_REALTIME");
}

TEST_F(ClrClockTest, RejectsTimesOutsideTheTrace) {
  ASSERT_TRUE(clock_.ChooseByCall(At(100 * kSecond).at[0], At(100 * kSecond).at[0] + 1));
  uint64_t boot = 0;
  EXPECT_FALSE(clock_.ToBootTime(0, &boot));
  EXPECT_FALSE(clock_.ToBootTime(99 * kSecond, &boot));
  EXPECT_FALSE(clock_.ToBootTime(111 * kSecond, &boot));
}

TEST_F(ClrClockTest, FollowsADriftingClock) {
  ASSERT_TRUE(clock_.ChooseByCall(At(100 * kSecond + 10).at[3], At(100 * kSecond + 20).at[3]));
  ClrClockSample later = At(120 * kSecond);
  later.at[3] += 1000;  // the RAW clock runs ahead
  clock_.Advance(later);
  uint64_t boot = 0;
  ASSERT_TRUE(clock_.ToBootTime(At(115 * kSecond).at[3] + 500, &boot));
  EXPECT_NEAR(static_cast<double>(boot), 115e9, 2);
}

}  // namespace
}  // namespace rtl::capture
