// SPDX-License-Identifier: MIT
#include "report/memory_use.h"

#include <gtest/gtest.h>

#include "report/log_histogram.h"

namespace rtl::report {
namespace {

TEST(MemoryUse, CountsAllocatedMemory) {
  MemoryUse use;
  use.Allocate({1, 0}, 10, 0x100, 50);
  use.Allocate({1, -1}, 15, 0x900, 5);
  use.Allocate({1, 0}, 20, 0x200, 70);
  use.Free(1, 30, 0x100);
  use.Free(1, 40, 0x300);  // an allocation that was not seen
  use.Free(2, 40, 0x200);  // of another process
  const MemoryUse::Series& gpu = use.series().at({1, 0});
  EXPECT_EQ(gpu.most, 120u);
  EXPECT_EQ(gpu.now, 70u);
  ASSERT_EQ(gpu.points.size(), 3u);
  EXPECT_EQ(gpu.points[2].time, 30u);
  EXPECT_EQ(gpu.points[2].bytes, 70u);
  EXPECT_EQ(use.series().at({1, -1}).most, 5u);
}

TEST(MemoryUse, AReusedAddressWasFreed) {
  MemoryUse use;
  use.Allocate({1, 0}, 10, 0x100, 50);
  use.Allocate({1, 0}, 20, 0x100, 60);
  EXPECT_EQ(use.series().at({1, 0}).now, 60u);
}

TEST(MemoryUse, KeepsThePeaksOfVeryManyPoints) {
  MemoryUse use;
  for (uint64_t i = 0; i < 100'000; ++i) {
    use.Allocate({1, 0}, 2 * i, 0x1000, i == 50'000 ? 1'000'000 : 10);
    use.Free(1, 2 * i + 1, 0x1000);
  }
  const MemoryUse::Series& series = use.series().at({1, 0});
  EXPECT_LE(series.points.size(), MemoryUse::kMostPoints);
  uint64_t most = 0;
  for (size_t i = 0; i < series.points.size(); ++i) {
    most = std::max(most, series.points[i].bytes);
    if (i > 0) {
      ASSERT_GT(series.points[i].time, series.points[i - 1].time);
    }
  }
  EXPECT_EQ(most, 1'000'000u);
  EXPECT_EQ(series.points.back().bytes, 0u);
}

TEST(LogHistogram, EveryValueIsInItsBar) {
  for (const uint64_t value :
       {0ull, 1ull, 3ull, 4ull, 5ull, 7ull, 8ull, 9ull, 1000ull, 123456789ull, ~0ull}) {
    const size_t bar = LogHistogram::BarOf(value);
    ASSERT_LT(bar, LogHistogram::kBars);
    EXPECT_LE(LogHistogram::LeastOf(bar), value);
    if (bar > 7 && bar + 1 < LogHistogram::kBars) {
      EXPECT_GT(LogHistogram::LeastOf(bar + 1), value);
    }
  }
  EXPECT_EQ(LogHistogram::BarOf(4), 8u) << "four, five, six and seven have bars of their own";
  EXPECT_EQ(LogHistogram::LeastOf(LogHistogram::BarOf(5)), 5u);
}

}  // namespace
}  // namespace rtl::report
