// SPDX-License-Identifier: MIT
#include "report/runs.h"

#include <gtest/gtest.h>

#include <random>

namespace rtl::report {
namespace {

TEST(RunRows, KeepsSlicesThatFit) {
  RunRows rows(10);
  const size_t row = rows.AddRow();
  rows.Add(row, {.start = 100, .end = 200, .wait = 7, .what = 3});
  rows.Add(row, {.start = 200, .end = 200, .what = 4});
  rows.Add(row, {.start = 200, .end = 260, .what = 5});
  EXPECT_EQ(rows.resolution(), 0u);
  ASSERT_EQ(rows.row(row).size(), 3u);
  EXPECT_EQ(rows.row(row)[0].extra, 7u);
  EXPECT_EQ(rows.row(row)[0].busy(), 100u);
  EXPECT_EQ(rows.row(row)[2].what, 5u);
}

TEST(RunRows, OneSliceHasItsOriginAndSeveralDoNot) {
  RunRows rows(10);
  const size_t row = rows.AddRow();
  rows.Add(row, {.start = 100, .end = 200, .what = 3, .link = {.track = 4, .lead = 9}});
  rows.Add(row, {.start = 300, .end = 310, .what = 4, .link = {.track = 4, .lead = 8}});
  EXPECT_EQ(rows.row(row)[0].track, 4u);
  EXPECT_EQ(rows.row(row)[0].more, 9u);
  ASSERT_TRUE(rows.Coarsen());
  ASSERT_EQ(rows.row(row).size(), 1u);
  EXPECT_EQ(rows.row(row)[0].track, 0u);
  EXPECT_EQ(rows.row(row)[0].what, 3u) << "the longer one";
}

TEST(RunRows, KeepsSlicesLongerThanTheResolutionExact) {
  RunRows rows(8);
  const size_t row = rows.AddRow();
  uint64_t time = 0;
  for (int i = 0; i < 100; ++i, time += 20)
    rows.Add(row, {.start = time, .end = time + 10, .what = 1});
  rows.Add(row, {.start = 1'000'000, .end = 2'000'000, .wait = 9, .what = 2});
  ASSERT_GT(rows.resolution(), 0u);
  EXPECT_LT(rows.resolution(), 1'000'000u);
  const report::Run& last = rows.row(row).back();
  EXPECT_EQ(last.start, 1'000'000u);
  EXPECT_EQ(last.end, 2'000'000u);
  EXPECT_EQ(last.count, 1u);
  EXPECT_EQ(last.extra, 9u);
}

TEST(RunRows, RunsOfSeveralHaveTheNameOfTheGreaterPart) {
  RunRows rows(100);
  const size_t row = rows.AddRow(1'000'000);
  for (uint64_t i = 0; i < 50; ++i) {
    const bool is_long = i % 5 < 2;
    rows.Add(
        row,
        {.start = i * 1000, .end = i * 1000 + (is_long ? 900 : 100), .what = is_long ? 7u : 8u});
  }
  ASSERT_EQ(rows.row(row).size(), 1u);
  const report::Run& run = rows.row(row).front();
  EXPECT_EQ(run.what, 7u);
  EXPECT_EQ(run.count, 50u);
  EXPECT_EQ(run.busy(), 20u * 900 + 30 * 100);
}

TEST(RunRows, MergesOverlappingSlices) {
  RunRows rows(100);
  const size_t row = rows.AddRow();
  rows.Add(row, {.start = 100, .end = 300, .what = 1});
  rows.Add(row, {.start = 200, .end = 250, .what = 2});
  ASSERT_EQ(rows.row(row).size(), 1u);
  EXPECT_EQ(rows.row(row)[0].end, 300u);
  EXPECT_EQ(rows.row(row)[0].count, 2u);
  EXPECT_EQ(rows.row(row)[0].busy(), 200u) << "never more than there is";
}

// For any input the bound holds, no slice is lost, runs follow each other, and each run is one
// slice or no longer than the resolution.
TEST(RunRows, BoundsManySlices) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 dice(seed);
    const size_t most = 16 + dice() % 500;
    RunRows rows(most);
    const size_t count = 1 + dice() % 4;
    for (size_t i = 0; i < count; ++i) rows.AddRow();
    std::vector<uint64_t> at(count), slices(count), busy(count);
    for (int i = 0; i < 20'000; ++i) {
      const size_t row = dice() % count;
      const uint64_t start = at[row] + dice() % (dice() % 50 == 0 ? 1'000'000 : 3'000);
      const uint64_t end = start + dice() % (dice() % 50 == 0 ? 500'000 : 2'000);
      rows.Add(row, {.start = start, .end = end, .what = static_cast<uint32_t>(dice() % 5)});
      at[row] = end;
      ++slices[row];
      busy[row] += end - start;
      ASSERT_LE(rows.size(), most);
    }
    size_t size = 0;
    for (size_t row = 0; row < count; ++row) {
      uint64_t last = 0, seen = 0, ran = 0;
      for (const report::Run& run : rows.row(row)) {
        ASSERT_GE(run.start, last);
        last = run.end;
        seen += run.count;
        ran += run.busy();
        if (run.count > 1) {
          ASSERT_LE(run.end - run.start, rows.resolution());
        }
      }
      size += rows.row(row).size();
      EXPECT_EQ(seen, slices[row]);
      EXPECT_EQ(ran, busy[row]);
    }
    EXPECT_EQ(size, rows.size());
  }
}

TEST(RunRows, CoarseningEndsWithARunPerRow) {
  RunRows rows(1000);
  rows.AddRow();
  rows.AddRow();
  for (uint64_t i = 0; i < 100; ++i)
    rows.Add(i % 2, {.start = i * 1'000'000, .end = i * 1'000'000 + 5});
  while (rows.Coarsen()) {
  }
  EXPECT_EQ(rows.size(), 2u);
}

TEST(GroupRuns, EndsAtGapsAndHasTheLongestRunningShape) {
  std::vector<report::Run> runs;
  for (uint64_t i = 0; i < 100; ++i) {
    runs.push_back({.start = i * 10, .end = i * 10 + 8, .what = i % 3 == 0 ? 1u : 2u});
  }
  runs.push_back({.start = 5000, .end = 6000, .what = 9});
  const std::vector<RunGroup> groups = GroupRuns(runs, 100);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].runs, kRunsOfAGroup);
  EXPECT_EQ(groups[1].runs, 100 - kRunsOfAGroup);
  EXPECT_EQ(groups[0].what, 2u);
  EXPECT_EQ(groups[2].what, 9u);
  EXPECT_TRUE(GroupRuns({}, 1).empty());
}

}  // namespace
}  // namespace rtl::report
