// SPDX-License-Identifier: MIT
#include "analysis/launches.h"

#include <gtest/gtest.h>

#include "trace/read/query_test_support.h"

namespace rtl::analysis {
namespace {

using query::ExpectOk;
using query::TestTrace;

class LaunchesOf : public testing::Test {
 protected:
  std::vector<LaunchSummary> Summarized() {
    trace_.Finish();
    std::vector<LaunchSummary> launches;
    ExpectOk(SummarizeLaunches(*query::OpenTrace(path_), &launches));
    return launches;
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  TestTrace trace_{path_};
};

TEST_F(LaunchesOf, IsEmptyForATraceWithoutCalls) {
  trace_.Queue(0);
  trace_.Kernel("k");
  trace_.Add({.tid = 101, .submit = 1050, .start = 1100, .end = 1200});
  EXPECT_TRUE(Summarized().empty());
}

TEST_F(LaunchesOf, AKernelHasLaunchWaitAndRun) {
  trace_.Queue(0);
  trace_.Kernel("k");
  trace_.GraphLaunch({.start = 1000, .end = 1150, .correlation = 1});
  trace_.Add({.tid = 101, .submit = 1050, .start = 1070, .end = 1200, .correlation = 1});
  trace_.Add({.tid = 101, .submit = 1060, .start = 1210, .end = 1230, .correlation = 1});
  const auto launches = Summarized();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].name, "k");
  EXPECT_EQ(launches[0].kernels, 2u);
  EXPECT_EQ(launches[0].launch.median, 50u);
  EXPECT_EQ(launches[0].launch.p99, 60u);
  EXPECT_EQ(launches[0].queue.median, 20u);
  EXPECT_EQ(launches[0].queue.p99, 150u);
  EXPECT_EQ(launches[0].start.median, 70u);
  EXPECT_EQ(launches[0].start.p99, 210u);
  EXPECT_EQ(launches[0].run.median, 20u);
  EXPECT_EQ(launches[0].run.p99, 130u);
  EXPECT_EQ(launches[0].total, 150u);
  EXPECT_EQ(launches[0].impossible + launches[0].early, 0u);
}

TEST_F(LaunchesOf, CountsAndLeavesOutImpossibleTimes) {
  trace_.Queue(0);
  trace_.Kernel("k");
  trace_.GraphLaunch({.start = 1000, .end = 1150, .correlation = 1});
  trace_.Add({.tid = 101, .submit = 990, .start = 1070, .end = 1200, .correlation = 1});
  trace_.Add({.tid = 101, .submit = 1060, .start = 1055, .end = 1230, .correlation = 1});
  const auto launches = Summarized();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].kernels, 2u);
  EXPECT_EQ(launches[0].impossible, 1u);
  EXPECT_EQ(launches[0].early, 1u);
  EXPECT_EQ(launches[0].launch.p99, 60u);
  EXPECT_EQ(launches[0].queue.p99, 0u);
}

TEST_F(LaunchesOf, KnowsTheStartWithoutATimeOfSubmission) {
  trace_.Queue(0);
  trace_.Kernel("k");
  trace_.GraphLaunch({.start = 1000, .end = 1150, .correlation = 1});
  trace_.AddUnsubmitted({.tid = 101, .start = 1070, .end = 1200, .correlation = 1});
  trace_.AddUnsubmitted({.tid = 101, .start = 990, .end = 1010, .correlation = 1});
  const auto launches = Summarized();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].kernels, 2u);
  EXPECT_EQ(launches[0].unsubmitted, 2u);
  EXPECT_FALSE(launches[0].has_submissions());
  EXPECT_EQ(launches[0].impossible, 0u);
  EXPECT_EQ(launches[0].early, 1u);
  EXPECT_EQ(launches[0].start.median, 0u);
  EXPECT_EQ(launches[0].start.p99, 70u);
  EXPECT_EQ(launches[0].run.p99, 130u);
}

TEST(SortLaunches, OrdersByTotalCountOrAverageOfTheRuns) {
  std::vector<LaunchSummary> launches(2);
  launches[0] = {.name = "few", .kernels = 2, .impossible = 1, .total = 50};
  launches[1] = {.name = "many", .kernels = 9, .total = 60};
  const auto first = [&](SummaryOrder order) {
    Sort(order, &launches);
    return launches.front().name;
  };
  EXPECT_EQ(first(SummaryOrder::kTotal), "many");
  EXPECT_EQ(first(SummaryOrder::kAverage), "few");
  EXPECT_EQ(first(SummaryOrder::kCalls), "many");
}

}  // namespace
}  // namespace rtl::analysis
