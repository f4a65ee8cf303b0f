// SPDX-License-Identifier: MIT
#include "analysis/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "trace/read/query_test_support.h"

namespace rtl::analysis {
namespace {

using query::ExpectOk;
using query::TestTrace;

Timings OneKernel(Timing timing) { return {{{Subject::kKernel, "k"}, timing}}; }

// A run with 1,000 calls whose medians lie around `median`.
Timings RunAround(double median, double deviation, std::mt19937_64* random) {
  const double value = std::normal_distribution<double>(median, deviation)(*random);
  return OneKernel({.calls = 1000,
                    .total = static_cast<uint64_t>(1000 * value),
                    .median = static_cast<uint64_t>(value),
                    .quartiles = 1000});
}

std::vector<Timings> RunsAround(double median, double deviation, std::mt19937_64* random) {
  std::vector<Timings> runs;
  for (int i = 0; i < 5; ++i) runs.push_back(RunAround(median, deviation, random));
  return runs;
}

TEST(Compare, FindsNoChangeBetweenTwoEqualRuns) {
  const Timings run = OneKernel({.calls = 100, .total = 1000, .median = 10, .quartiles = 2});
  const auto differences = Compare({run}, {run});
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].change, Change::kNone);
  EXPECT_EQ(differences[0].ratio, 0);
}

TEST(Compare, JudgesOneRunASideByTheSpreadOfItsCalls) {
  const Timings before =
      OneKernel({.calls = 100, .total = 100'000, .median = 1000, .quartiles = 10});
  const Timings after =
      OneKernel({.calls = 100, .total = 105'000, .median = 1050, .quartiles = 10});
  const Timings wide =
      OneKernel({.calls = 100, .total = 105'000, .median = 1050, .quartiles = 400});
  const auto found = Compare({before}, {after});
  EXPECT_EQ(found[0].change, Change::kSlower);
  EXPECT_NEAR(found[0].ratio, 0.05, 1e-9);
  EXPECT_DOUBLE_EQ(found[0].noise, kLeastNoise);
  EXPECT_EQ(Compare({after}, {before})[0].change, Change::kFaster);
  EXPECT_EQ(Compare({before}, {wide})[0].change, Change::kNone);
}

TEST(Compare, FewCallsInOneRunAreUnknown) {
  const Timings before = OneKernel({.calls = 1, .total = 1000, .median = 1000});
  const Timings after = OneKernel({.calls = 1, .total = 2000, .median = 2000});
  const auto differences = Compare({before}, {after});
  EXPECT_EQ(differences[0].change, Change::kUnknown);
  EXPECT_TRUE(std::isinf(differences[0].noise));
  EXPECT_DOUBLE_EQ(differences[0].ratio, 1);
}

// 2,000 comparisons at 0.1 %: two are expected, more than eight have a chance of 1 in 4,000.
TEST(Compare, FindsNoChangeBetweenEqualSidesOfSeveralRuns) {
  std::mt19937_64 random(19);
  int changed = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto before = RunsAround(100'000, 2'000, &random);
    changed += Compare(before, RunsAround(100'000, 2'000, &random))[0].change != Change::kNone;
  }
  EXPECT_LE(changed, 8);
}

// Runs that differ by 1 %: five a side see 5 %.
TEST(Compare, FindsFivePercentInSeveralRuns) {
  std::mt19937_64 random(19);
  int found = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto before = RunsAround(100'000, 1'000, &random);
    found += Compare(before, RunsAround(105'000, 1'000, &random))[0].change == Change::kSlower;
  }
  EXPECT_GE(found, 950);
}

TEST(Compare, NamesNewAndGoneNamesWithTheLargestChangeFirst) {
  const Timings before = {{{Subject::kKernel, "old"}, {.calls = 1, .total = 10, .median = 10}}};
  const Timings after = {{{Subject::kCall, "add"}, {.calls = 2, .total = 70, .median = 35}}};
  const auto differences = Compare({before}, {after});
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].name, "add");
  EXPECT_EQ(differences[0].change, Change::kNew);
  EXPECT_EQ(differences[0].total_change(), 70);
  EXPECT_EQ(differences[1].change, Change::kGone);
  EXPECT_EQ(differences[1].total_change(), -10);
}

TEST(Compare, CountsARunWithoutTheNameInTheTotalOnly) {
  const Timings run = OneKernel({.calls = 10, .total = 100, .median = 10, .quartiles = 0});
  const auto differences = Compare({run, {}}, {run, run});
  EXPECT_EQ(differences[0].before.runs, 1u);
  EXPECT_EQ(differences[0].before.total, 50);
  EXPECT_EQ(differences[0].before.median, 10);
  EXPECT_EQ(differences[0].change, Change::kNone);
}

TEST(Timings, AreReadByKernelAndRange) {
  test::TempDir directory;
  const std::string path = directory.File("trace.db");
  TestTrace trace(path);
  trace.Queue(0);
  trace.Kernel("k");
  trace.Add({.kernel = 1, .start = 0, .end = 10});
  trace.Add({.kernel = 1, .start = 10, .end = 30});
  trace.Add({.kernel = 1, .start = 30, .end = 60});
  trace.Push(1, 10, "step");
  trace.Pop(1, 40);
  trace.Mark(1, 50, "epoch");  // has no duration
  trace.Finish();
  Timings timings;
  ExpectOk(ReadTimings(*query::OpenTrace(path), &timings));
  ASSERT_EQ(timings.size(), 2u);
  const Timing& kernel = timings[{Subject::kKernel, "k"}];
  EXPECT_EQ(kernel.calls, 3u);
  EXPECT_EQ(kernel.total, 60u);
  EXPECT_EQ(kernel.median, 20u);
  EXPECT_EQ(kernel.quartiles, 20u);
  const Timing& range = timings[{Subject::kRange, "step"}];
  EXPECT_EQ(range.calls, 1u);
  EXPECT_EQ(range.total, 30u);
}

}  // namespace
}  // namespace rtl::analysis
