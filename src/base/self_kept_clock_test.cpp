// SPDX-License-Identifier: MIT
#include "base/self_kept_clock.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace rtl {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kAsGoodAsASample =
    10 * kMillisecond;  // one that lost its processor in the middle

void ReadFor(SelfKeptClock* clock, uint64_t ns) {
  for (const uint64_t until = BootTimeNs() + ns; BootTimeNs() < until;) {
    const uint64_t before = BootTimeNs();
    const uint64_t now = clock->NowNs();
    ASSERT_GT(now + kAsGoodAsASample, before);
    ASSERT_LT(now, BootTimeNs() + kAsGoodAsASample);
  }
}

TEST(SelfKeptClock, ReportsTheSystemsTimeFromTheFirstReadOn) {
  SelfKeptClock clock;
  const uint64_t before = BootTimeNs();
  const uint64_t now = clock.NowNs();
  EXPECT_GE(now, before);
  EXPECT_LE(now, BootTimeNs());
  ReadFor(&clock, 60 * kMillisecond);
}

TEST(SelfKeptClock, IsKeptByItsReaders) {
  SelfKeptClock clock;
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) readers.emplace_back([&] { ReadFor(&clock, 60 * kMillisecond); });
  for (std::thread& reader : readers) reader.join();
}

TEST(SelfKeptClock, LeavesErrnoAlone) {
  SelfKeptClock clock;
  errno = ENOTTY;
  (void)clock.NowNs();
  EXPECT_EQ(errno, ENOTTY);
}

}  // namespace
}  // namespace rtl
