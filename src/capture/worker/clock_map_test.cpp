// SPDX-License-Identifier: MIT
#include "capture/worker/clock_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace rtl::capture {
namespace {

constexpr uint64_t kFirstTick = 0x1000000;
constexpr uint64_t kFirstNs = 3'000'000'000'000;

// A runtime whose fit of a 25 MHz counter can be moved and turned, as a new measurement does.
struct FakeTimeRuntime {
  double offset_ns = 0;
  double ns_per_tick = 40;
  uint64_t calls = 0;
  bool refuses = false;
};
FakeTimeRuntime runtime;

hsa_status_t Convert(hsa_agent_t, uint64_t tick, uint64_t* ns) {
  ++runtime.calls;
  if (runtime.refuses) return HSA_STATUS_ERROR_INVALID_AGENT;
  const double ticks = static_cast<double>(tick) - static_cast<double>(kFirstTick);
  *ns = kFirstNs + static_cast<int64_t>(runtime.offset_ns + ticks * runtime.ns_per_tick);
  return HSA_STATUS_SUCCESS;
}

class ClockMapTest : public ::testing::Test {
 protected:
  ClockMapTest() {
    runtime = FakeTimeRuntime{};
    map_.Init({1}, &Convert);
  }
  uint64_t At(uint64_t ticks_after_first) {
    uint64_t ns = 0;
    EXPECT_TRUE(map_.ToHost(kFirstTick + ticks_after_first, &ns));
    return ns;
  }
  ClockMap map_;
};

TEST_F(ClockMapTest, ReturnsTheRuntimesTimesWhileItsFitIsConstant) {
  for (uint64_t tick : {0ull, 1ull, 25ull, 1'000'000ull, 25'000'000ull, 2'500'000'000ull}) {
    EXPECT_NEAR(static_cast<double>(At(tick)), static_cast<double>(kFirstNs + tick * 40), 1.0);
  }
}

TEST_F(ClockMapTest, ConvertsAKernelAsItConvertsItsEnds) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> jitter(-150, 150);
  std::uniform_int_distribution<uint64_t> step(0, 60'000);
  uint64_t start = kFirstTick;
  for (int i = 0; i < 20'000; ++i) {
    if (i % 100 == 0) runtime.offset_ns = jitter(random);
    const uint64_t end = start + step(random);
    uint64_t start_ns = 0, end_ns = 0, alone = 0;
    ASSERT_TRUE(map_.ToHost(start, end, &start_ns, &end_ns));
    ASSERT_TRUE(map_.ToHost(start, &alone));
    EXPECT_EQ(start_ns, alone);
    ASSERT_TRUE(map_.ToHost(end, &alone));
    EXPECT_EQ(end_ns, alone);
    start += step(random);
  }
}

TEST_F(ClockMapTest, NeverFallsWhenTheRuntimeFitsAgain) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> jitter(-150, 150);
  std::uniform_int_distribution<uint64_t> step(0, 30'000);
  uint64_t tick = 0;
  uint64_t before = At(0);
  for (int i = 0; i < 200'000; ++i) {
    if (i % 100 == 0) runtime.offset_ns = jitter(random);
    tick += step(random);
    const uint64_t now = At(tick);
    ASSERT_GE(now, before) << "at tick " << tick;
    before = now;
    ASSERT_NEAR(static_cast<double>(now), static_cast<double>(kFirstNs + tick * 40), 400.0);
  }
}

TEST_F(ClockMapTest, GivesAnEarlierTickTheTimeItHadBefore) {
  std::vector<uint64_t> answers;
  constexpr uint64_t kStep = 10'000;
  for (uint64_t i = 0; i < 750; ++i) {
    runtime.offset_ns = i % 7 * 20.0;
    answers.push_back(At(i * kStep));
  }
  for (uint64_t i = 0; i < answers.size(); ++i) EXPECT_EQ(At(i * kStep), answers[i]) << i;
}

TEST_F(ClockMapTest, QueriesTheRuntimeForATickBeforeItsOldestPiece) {
  const uint64_t first = At(1'000'000);
  runtime.offset_ns = 100;  // a later fit would put the earlier tick after the later one
  EXPECT_EQ(At(999'999), first);
  EXPECT_EQ(At(0), kFirstNs + 100);
}

TEST_F(ClockMapTest, FollowsADriftingCounter) {
  runtime.ns_per_tick = 40.004;  // 100 ppm slow
  EXPECT_NEAR(static_cast<double>(At(25'000'000'000)),
              static_cast<double>(kFirstNs) + 25e9 * 40.004, 2.0);
}

TEST_F(ClockMapTest, ReturnsToTheRuntimesFitAfterAStep) {
  (void)At(0);
  runtime.offset_ns = -1'000'000;  // a millisecond back
  uint64_t tick = 0;
  uint64_t before = 0;
  for (int i = 0; i < 4'000; ++i) {
    tick += 250;  // 10 us
    const uint64_t now = At(tick);
    ASSERT_GE(now, before);
    before = now;
  }
  EXPECT_NEAR(static_cast<double>(At(tick)), static_cast<double>(kFirstNs + tick * 40) - 1e6, 50.0);
}

TEST_F(ClockMapTest, QueriesTheRuntimeOncePerHorizonOnly) {
  constexpr uint64_t kTicksPerHorizon = ClockMap::kHorizonNs / 40;
  for (uint64_t tick = 0; tick < 10 * kTicksPerHorizon; tick += 50) (void)At(tick);
  EXPECT_LE(runtime.calls, 2u * 11);
}

TEST_F(ClockMapTest, ReturnsFalseWhenTheRuntimeRefuses) {
  runtime.refuses = true;
  uint64_t ns;
  EXPECT_FALSE(map_.ToHost(kFirstTick, &ns));
  runtime.refuses = false;
  EXPECT_TRUE(map_.ToHost(kFirstTick, &ns));
}

}  // namespace
}  // namespace rtl::capture
