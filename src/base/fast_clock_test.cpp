// SPDX-License-Identifier: MIT
#include "base/fast_clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace rtl {
namespace {

constexpr uint64_t kMs = 1'000'000;

// A machine whose counter runs at `ghz`, and whose BOOTTIME can be slewed and made to jump.
struct Machine {
  double ghz = 2.5;
  double slew = 1.0;
  uint64_t ticks = 1'000'000'000;
  uint64_t ns = 5'000'000'000;

  void Pass(uint64_t nanoseconds) {
    ticks += static_cast<uint64_t>(static_cast<double>(nanoseconds) * ghz);
    ns += static_cast<uint64_t>(static_cast<double>(nanoseconds) * slew);
  }
};

struct FastClockTest : testing::Test {
  Machine machine;
  FastClock clock;

  // The time of NowNs; zero while there is no line.
  uint64_t Now() const {
    FastClock::Line line;
    EXPECT_TRUE(clock.Read(&line));
    if (line.slope == 0) return 0;
    return line.origin + FastClock::Scale(machine.ticks - line.start, line.slope);
  }
  void Update() { clock.Steer(machine.ticks, machine.ns); }
  void Run(int updates, uint64_t apart) {
    for (int i = 0; i < updates; ++i) {
      machine.Pass(apart);
      Update();
    }
  }
  int64_t Error() const { return static_cast<int64_t>(Now()) - static_cast<int64_t>(machine.ns); }
};

TEST_F(FastClockTest, HasNoLineBeforeItHasMeasuredLongEnough) {
  Update();
  machine.Pass(FastClock::kFirstNs - 1);
  Update();
  EXPECT_EQ(Now(), 0u);
  machine.Pass(kMs);
  Update();
  EXPECT_EQ(Now(), machine.ns);
}

TEST_F(FastClockTest, StaysOnTheClockBetweenUpdates) {
  Update();
  Run(10, kMs);
  for (int i = 0; i < 100; ++i) {
    machine.Pass(100 * kMs);
    EXPECT_LE(std::abs(Error()), 10) << i;
    Update();
  }
}

TEST_F(FastClockTest, FollowsASlewedClock) {
  Update();
  Run(100, 10 * kMs);
  machine.slew = 1.0005;  // as much as adjtimex allows
  Run(400, 10 * kMs);     // the slope is measured anew in less
  machine.Pass(10 * kMs);
  EXPECT_LE(std::abs(Error()), 2000);
}

TEST_F(FastClockTest, NeverStepsBackAtAnUpdate) {
  Update();
  Run(10, kMs);
  for (int i = 0; i < 200; ++i) {
    machine.Pass(5 * kMs);
    machine.ns += i % 2 == 0 ? 900 : -900;  // samples that are off
    const uint64_t before = Now();
    Update();
    EXPECT_EQ(Now(), before);
    machine.ns -= i % 2 == 0 ? 900 : -900;
  }
}

TEST_F(FastClockTest, TakesNoDisturbedSample) {
  EXPECT_TRUE(clock.Accepts(60));
  EXPECT_FALSE(clock.Accepts(144'000));
  EXPECT_FALSE(clock.Accepts(144'000));
  EXPECT_TRUE(clock.Accepts(60));
  EXPECT_FALSE(clock.Accepts(1000));
}

TEST_F(FastClockTest, TakesSamplesWhereEverySampleTakesLong) {
  int refused = 0;
  while (!clock.Accepts(20'000)) ++refused;
  EXPECT_LE(refused, 6);
  EXPECT_TRUE(clock.Accepts(22'000));
  EXPECT_TRUE(clock.Accepts(20'000));
}

TEST_F(FastClockTest, StaysOnTheClockAfterLongRests) {
  Update();
  Run(300, 10 * kMs);
  machine.ns += 60;  // a sample that was off
  Update();
  machine.ns -= 60;
  for (int i = 0; i < 30; ++i) {
    machine.Pass(800 * kMs);
    const uint64_t before = Now();
    Update();
    EXPECT_GE(Now(), before);
    EXPECT_LE(std::abs(Error()), 1000) << i;
  }
}

TEST_F(FastClockTest, MeasuresAnewAfterAJump) {
  Update();
  Run(10, kMs);
  machine.ns += 3'600'000'000'000;  // suspended for an hour, the counter stood still
  Update();
  EXPECT_EQ(Now(), 0u);
  Run(10, kMs);
  EXPECT_LE(std::abs(Error()), 10);
}

TEST_F(FastClockTest, MeasuresAnewWhenTheCounterStartsOver) {
  Update();
  Run(10, kMs);
  machine.ticks = 1000;
  machine.Pass(kMs);
  Update();
  EXPECT_EQ(Now(), 0u);
}

TEST(FastClockReadTest, AnswersWithTheSystemsClockWithoutALine) {
  const FastClock clock;
  const uint64_t before = BootTimeNs();
  const uint64_t now = clock.NowNs();
  EXPECT_GE(now, before);
  EXPECT_LE(now, BootTimeNs());
}

TEST(FastClockReadTest, NeverReadsAMixtureOfTwoLines) {
  constexpr uint64_t kApart = 7'000'000'000;  // between two clocks of the same speed
  FastClock clock;
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (uint64_t ticks = 1'000'000'000; !stop.load(std::memory_order_relaxed);
         ticks += FastClock::kFirstNs) {
      clock.Steer(ticks, ticks + kApart);
    }
  });
  int lines = 0;
  while (lines < 20'000) {
    FastClock::Line line;
    if (!clock.Read(&line) || line.slope == 0) continue;
    ++lines;
    ASSERT_EQ(line.origin - line.start, kApart);
  }
  stop = true;
  writer.join();
}

}  // namespace
}  // namespace rtl
