// SPDX-License-Identifier: MIT
#include "export/gpu_load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace rtl::exporting {
namespace {

uint64_t Total(const TimeSlices& slices) {
  const std::vector<uint64_t> sums = slices.Sums();
  return std::accumulate(sums.begin(), sums.end(), uint64_t{0});
}

TEST(TimeSlices, HaveTheirShareOfEachSpan) {
  TimeSlices slices;
  slices.Add(1000, 1000 + 10);
  slices.Add(1000 + 1020, 1000 + 3 * 1024 + 7);
  const std::vector<uint64_t> sums = slices.Sums();
  EXPECT_EQ(slices.first(), 1000u);
  EXPECT_EQ(slices.width(), 1024u);
  EXPECT_EQ((std::vector<uint64_t>(sums.begin(), sums.begin() + 5)),
            (std::vector<uint64_t>{14, 1024, 1024, 7, 0}));
}

TEST(TimeSlices, GrowWithoutLoss) {
  std::srand(3);
  TimeSlices slices;
  uint64_t added = 0;
  for (uint64_t i = 0; i < 5000; ++i) {
    const uint64_t start = 5000 + i * 10'000;
    const uint64_t length = static_cast<uint64_t>(std::rand() % 100'000);
    slices.Add(start, start + length);
    added += length;
  }
  EXPECT_EQ(Total(slices), added);
  EXPECT_GT(slices.width(), 1024u);
  EXPECT_GT(slices.width() * TimeSlices::kMostSlices, 50'000'000u);
}

TEST(TimeSlices, AcceptAnyTime) {
  TimeSlices slices;
  slices.Add(100, 200);
  slices.Add(50, 120);
  slices.Add(300, 300);
  slices.Add(400, 300);
  slices.Add(UINT64_MAX - 1, UINT64_MAX);
  EXPECT_EQ(Total(slices), 100u + 20 + 1);
}

TEST(GpuLoad, CountsOverlapOnceAndWaitingKernelsEach) {
  GpuLoad load;
  load.Add(1000, 2000, 4000);
  load.Add(1100, 3000, 5000);
  load.Add(1200, 2500, 2600);  // starts before the one submitted before it
  load.Add(6000, 6100, 6200);
  load.Finish();
  EXPECT_EQ(Total(load.busy()), 3000u + 100);
  EXPECT_EQ(Total(load.in_flight()), 3000u + 3900 + 1400 + 200);
}

}  // namespace
}  // namespace rtl::exporting
