// SPDX-License-Identifier: MIT
#include "vgpu/clock/clock.h"

#include <gtest/gtest.h>

namespace vgpu {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

uint64_t TicksIn(const CounterRate& rate, uint64_t from_ns, uint64_t ns) {
  return rate.TicksAt(from_ns + ns) - rate.TicksAt(from_ns);
}

TEST(Clock, CountsAtItsRate) {
  EXPECT_EQ(TicksIn({25'000'000, 0}, 0, kSecond), 25'000'000u);
  EXPECT_EQ(TicksIn({100'000'000, 0}, 0, kSecond), 100'000'000u);
  EXPECT_EQ(TicksIn({25'000'000, 0}, 0, 40), 1u);
}

TEST(Clock, IsNeverZero) { EXPECT_GT(CounterRate().TicksAt(0), 0u); }

TEST(Clock, DriftsByPartsPerMillion) {
  EXPECT_EQ(TicksIn({25'000'000, 100}, 0, kSecond), 25'002'500u);
  EXPECT_EQ(TicksIn({25'000'000, -100}, 0, kSecond), 24'997'500u);
}

TEST(Clock, StaysExactAfterYears) {
  const uint64_t years = uint64_t{100} * 365 * 24 * 3600 * kSecond;
  const CounterRate rate{100'000'000, 50};
  EXPECT_EQ(TicksIn(rate, years, kSecond), 100'005'000u);
  EXPECT_EQ(TicksIn(rate, years, 1000), 100u);
}

TEST(Clock, NeverGoesBack) {
  const CounterRate rate{27'000'000, -77};
  uint64_t last = 0;
  for (uint64_t ns = 0; ns < 10'000; ++ns) {
    const uint64_t ticks = rate.TicksAt(123 * kSecond + ns);
    ASSERT_GE(ticks, last);
    last = ticks;
  }
}

TEST(Clock, FollowsTheHostsRawClock) {
  const uint64_t before = TicksAt(HostRawNs());
  const uint64_t now = GpuTicks();
  const uint64_t after = TicksAt(HostRawNs());
  EXPECT_LE(before, now);
  EXPECT_LE(now, after);
}

// Clocks of a thread that is interrupted in its first read, for less than a microsecond.
uint64_t g_now = 0;
int g_reads = 0;
uint64_t Raw() { return g_now += 20; }
uint64_t Boot() {
  const uint64_t read = g_now += 20;
  if (g_reads++ == 0) g_now += 900;
  return read + 5000;
}

TEST(Clock, RereadsAnInterruptedPair) {
  const ClockPair pair = ReadBothClocks(Raw, Boot);
  EXPECT_EQ(g_reads, 2);
  EXPECT_EQ(pair.boot_ns - pair.raw_ns, 5000u);
}

TEST(Clock, TakesTheNarrowestPairWhereAllAreWide) {
  static uint64_t now, reads;
  const auto raw = []() -> uint64_t { return now += 100; };
  const auto boot = []() -> uint64_t {
    const uint64_t wait = ++reads == 7 ? 100 : 500;
    now += wait;
    return now += wait;
  };
  const ClockPair pair = ReadBothClocks(raw, boot);
  EXPECT_EQ(reads, 16u);
  EXPECT_EQ(pair.boot_ns - pair.raw_ns, 50u);
}

}  // namespace
}  // namespace vgpu
