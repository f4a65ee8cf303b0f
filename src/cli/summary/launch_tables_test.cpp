// SPDX-License-Identifier: MIT
#include "cli/summary/launch_tables.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

using analysis::LaunchSummary;

std::vector<LaunchSummary> TwoKernels() {
  return {{.name = "gemm",
           .kernels = 1200,
           .impossible = 1,
           .launch = {2000, 9000},
           .queue = {100, 400},
           .start = {2100, 9300},
           .run = {50000, 60000},
           .total = 61'000'000},
          {.name = "say \"hi\"",
           .kernels = 3,
           .launch = {1, 2},
           .queue = {3, 4},
           .start = {4, 6},
           .run = {5, 6},
           .total = 16}};
}

TEST(LaunchReport, PrintsATable) {
  EXPECT_EQ(
      LaunchesAsText("t.db", {}, TwoKernels(), 0, 200),
      "t.db: 1,203 kernels and their calls; launch: call to submission, queue: submission to "
      "start (both: start), run: start to end\n\n"
      "  kernels  launch p50      p99  queue p50     p99  start p50      p99   run p50       "
      "p99     total  kernel\n"
      "    1,200     2.00 us  9.00 us     100 ns  400 ns    2.10 us  9.30 us  50.00 us  60.00 "
      "us  61.00 ms  gemm\n"
      "        3        1 ns     2 ns       3 ns    4 ns       4 ns     6 ns      5 ns      6 "
      "ns     16 ns  say \"hi\"\n"
      "submitted before the call began, and left out: 1\n");
}

TEST(LaunchReport, ShowsNoFiguresForAnUnseenSubmission) {
  const std::vector<LaunchSummary> launches = {{.name = "k",
                                                .kernels = 2,
                                                .unsubmitted = 2,
                                                .launch = {},
                                                .queue = {},
                                                .start = {70, 80},
                                                .run = {5, 6},
                                                .total = 16}};
  const std::string text = LaunchesAsText("t.db", {}, launches, 0, 200);
  EXPECT_NE(text.find("        2           -    -          -    -      70 ns  80 ns"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("only start and run are known: 2\n"), std::string::npos);
  EXPECT_NE(LaunchesAsCsv(launches, 0).find("\"k\",2,,,,,5,6,70,80,16\n"), std::string::npos);
  const std::string json = LaunchesAsJson("t.db", launches, 0);
  EXPECT_NE(json.find("\"unsubmitted\": 2"), std::string::npos);
  EXPECT_EQ(json.find("\"launch\""), std::string::npos);
}

TEST(LaunchReport, SuggestsWhatToDoWithoutLaunches) {
  EXPECT_EQ(
      LaunchesAsText("t.db", {}, {}, 0, 80),
      "t.db: no kernel of this trace is linked to a call (rtl trace --mode hip links them)\n");
}

TEST(LaunchReport, PrintsTheRequestedRowsAsCsvAndJson) {
  EXPECT_EQ(LaunchesAsCsv(TwoKernels(), 0),
            "Name,Kernels,LaunchMedianNs,LaunchP99Ns,QueueMedianNs,QueueP99Ns,RunMedianNs,RunP99Ns,"
            "StartMedianNs,StartP99Ns,RunTotalNs\n"
            "\"gemm\",1200,2000,9000,100,400,50000,60000,2100,9300,61000000\n"
            "\"say \"\"hi\"\"\",3,1,2,3,4,5,6,4,6,16\n");
  const std::string json = LaunchesAsJson("t.db", TwoKernels(), 1);
  EXPECT_NE(json.find("\"p99_ns\": 9000"), std::string::npos);
  EXPECT_EQ(json.find("hi"), std::string::npos);
}

}  // namespace
}  // namespace rtl::cli
