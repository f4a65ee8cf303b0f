// SPDX-License-Identifier: MIT
#include "cli/diff/diff_report.h"

#include <gtest/gtest.h>

#include <limits>

namespace rtl::cli {
namespace {

using analysis::Change;
using analysis::Subject;

DiffReport SmallDiff() {
  return {{"a.db"},
          {"b.db"},
          {{.subject = Subject::kKernel,
            .name = "gemm",
            .before = {1, 1200, 2'400'000, 2000},
            .after = {1, 1200, 2'640'000, 2200},
            .change = Change::kSlower,
            .ratio = 0.1,
            .noise = 0.012},
           {.subject = Subject::kKernel,
            .name = "say \"hi\"",
            .before = {},
            .after = {1, 3, 90, 30},
            .change = Change::kNew},
           {.subject = Subject::kKernel,
            .name = "copy",
            .before = {1, 10, 100, 10},
            .after = {1, 10, 100, 10},
            .noise = 0.01},
           {.subject = Subject::kCall,
            .name = "hipMalloc",
            .before = {1, 1, 1000, 1000},
            .after = {1, 1, 2000, 2000},
            .change = Change::kUnknown,
            .ratio = 1,
            .noise = std::numeric_limits<double>::infinity()}}};
}

TEST(DiffReport, PrintsChanges) {
  EXPECT_EQ(DiffAsText(SmallDiff(), 0, 200),
            "a.db to b.db: one run on each side; the spread of equal runs is not known\n"
            "\n"
            "kernels: 2.40 ms to 2.64 ms in total (+10.0 %); 1 slower, 1 new, 1 same\n"
            "           median  noise   before    after       total  calls    now  kernel\n"
            "  slower  +10.0 %  1.2 %  2.00 us  2.20 us  +240.00 us  1,200  1,200  gemm\n"
            "  new           -      -        -    30 ns      +90 ns      0      3  say \"hi\"\n"
            "\n"
            "calls: 1.00 us to 2.00 us in total (+100.0 %); 1 unknown\n"
            "             median  noise   before    after     total  calls  now  call\n"
            "  unknown  +100.0 %      ?  1.00 us  2.00 us  +1.00 us      1    1  hipMalloc\n");
}

TEST(DiffReport, ReportsCutTables) {
  EXPECT_NE(DiffAsText(SmallDiff(), 1, 200).find("  ... and 1 more (-n 0 prints all)\n"),
            std::string::npos);
}

TEST(DiffReport, CsvHasEverythingInNanoseconds) {
  EXPECT_EQ(DiffAsCsv(SmallDiff(), 0),
            "Kind,Name,Change,MedianChangePercent,NoisePercent,MedianBeforeNs,MedianAfterNs,"
            "TotalBeforeNs,TotalAfterNs,CallsBefore,CallsAfter,RunsBefore,RunsAfter\n"
            "kernel,\"gemm\",slower,10.000,1.200,2000,2200,2400000,2640000,1200,1200,1,1\n"
            "kernel,\"say \"\"hi\"\"\",new,,,0,30,0,90,0,3,0,1\n"
            "kernel,\"copy\",same,0.000,1.000,10,10,100,100,10,10,1,1\n"
            "call,\"hipMalloc\",unknown,100.000,,1000,2000,1000,2000,1,1,1,1\n");
}

TEST(DiffReport, JsonLeavesOutUnknownValues) {
  const std::string json = DiffAsJson(SmallDiff(), 0);
  EXPECT_NE(json.find("\"change\": \"slower\",\n      \"median_change\": 0.1,\n      "
                      "\"noise\": 0.012,"),
            std::string::npos);
  EXPECT_NE(json.find("\"median_change\": 1.0,\n      \"before\""), std::string::npos);
  EXPECT_EQ(json.find("inf"), std::string::npos);
}

TEST(DiffLimits, AreASubjectAndAPercentage) {
  std::vector<DiffLimit> limits;
  ASSERT_TRUE(ParseLimits("kernel>5%,call>0.5%", &limits));
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_EQ(limits[0].subject, Subject::kKernel);
  EXPECT_EQ(limits[0].percent, 5);
  EXPECT_EQ(limits[1].subject, Subject::kCall);
  EXPECT_EQ(limits[1].percent, 0.5);
  for (const char* wrong : {"", "kernel", "kernel>5", "kernel>%", "kernels>5%", "kernel>-5%",
                            "kernel>5%,", "kernel>5x%", "kernel>nan%"}) {
    EXPECT_FALSE(ParseLimits(wrong, &limits)) << wrong;
  }
}

TEST(DiffLimits, AreBrokenOnlyBeyondTheNoise) {
  const DiffReport report = SmallDiff();
  EXPECT_EQ(BrokenLimits(report, {{Subject::kKernel, 5}}),
            "rtl: kernel>5%: gemm is slower by 10.0 % (2.00 us to 2.20 us)\n");
  EXPECT_EQ(BrokenLimits(report, {{Subject::kKernel, 10.5}}), "");
  EXPECT_EQ(BrokenLimits(report, {{Subject::kCall, 5}}), "");
  EXPECT_EQ(UnjudgedLimits(report, {{Subject::kCall, 5}}),
            "rtl: call>5% cannot judge 1 name within the noise; more runs on each side can\n");
  EXPECT_EQ(UnjudgedLimits(report, {{Subject::kKernel, 5}}), "");
}

}  // namespace
}  // namespace rtl::cli
