// SPDX-License-Identifier: MIT
#include "analysis/findings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/read/query_test_support.h"

namespace rtl::analysis {
namespace {

using test::TraceBuilder;

class FindingsTest : public testing::Test {
 protected:
  void AddGpu() {
    gpu_ = trace_.Gpu("gfx906");
    queue_ = trace_.Queue(gpu_);
    kernel_ = trace_.Kernel("step");
  }
  void Launch(uint64_t call, uint64_t submit, uint64_t returned, uint64_t start, uint64_t end) {
    trace_.Call(TraceBuilder::CallNumber("hipLaunchKernel"), {0, 0, 0, 0, 0, 0, 0, 0},
                {.start = call, .end = returned, .correlation = ++calls_});
    Kernel(submit, start, end);
  }
  void Kernel(uint64_t submit, uint64_t start, uint64_t end) {
    trace_.Dispatch(queue_, kernel_, {.start = start, .end = end, .submitted = submit});
  }
  void Copy(uint64_t submit, uint64_t start, uint64_t end) {
    CopyRecord copy;
    copy.copy = ++copies_;
    copy.start = start;
    copy.end = end;
    copy.submitted = submit;
    copy.dst_agent = gpu_;
    trace_.Copy(copy);
  }
  std::vector<Finding> Find() {
    const std::string path = dir_.File("trace.db");
    query::ExpectOk(trace_.WriteDatabase(path));
    auto reader = query::OpenTrace(path);
    IdleAnalysis idle;
    query::ExpectOk(AnalyzeIdleTime(*reader, &idle));
    std::vector<RankTail> tails;
    query::ExpectOk(FindRankTails(*reader, &tails));
    return Findings(idle.gpus, tails);
  }

  test::TempDir dir_;
  TraceBuilder trace_;
  uint32_t gpu_ = 0, queue_ = 0, kernel_ = 0;
  uint64_t calls_ = 0, copies_ = 0;
};

//  host  ├─ call ─────┤├─ call ─────┤
//  GPU             ├k┤           ├k┤
TEST_F(FindingsTest, FindsKernelsThatTakeLongerToLaunchThanToRun) {
  AddGpu();
  for (uint64_t at = 10'000; at < 60'000; at += 500)
    Launch(at, at + 400, at + 490, at + 450, at + 550);
  const std::vector<Finding> findings = Find();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_STREQ(FindingName(findings[0].kind), "launch-bound kernel");
  EXPECT_EQ(findings[0].where, "step");
  EXPECT_EQ(findings[0].gpu, 0);
  EXPECT_EQ(findings[0].count, 99u) << "all but the first";
  EXPECT_EQ(findings[0].all, 100u);
  EXPECT_EQ(findings[0].cost, 99u * 400);
}

TEST_F(FindingsTest, IgnoresKernelsThatAreLaunchedAhead) {
  AddGpu();
  for (uint64_t i = 0; i < 100; ++i) {
    const uint64_t at = 10'000 + 500 * i, run = 20'000 + 800 * i;
    Launch(at, at + 400, at + 490, run, run + 700);
  }
  EXPECT_TRUE(Find().empty());
}

TEST_F(FindingsTest, IgnoresKernelsAfterAWait) {
  AddGpu();
  for (uint64_t at = 10'000; at < 60'000; at += 1000)
    Launch(at, at + 400, at + 490, at + 450, at + 550);
  EXPECT_TRUE(Find().empty()) << "their calls began when the GPU had long been idle";
}

//  GPU   kernel ──┤├─ copy ─┤├── kernel ──
TEST_F(FindingsTest, FindsSerialCopiesBetweenKernelsOfOneStream) {
  AddGpu();
  for (uint64_t at = 10'000; at < 20'000; at += 1000) {
    Kernel(5'000, at, at + 700);
    Copy(6'000, at + 700, at + 1000);
  }
  Kernel(5'000, 20'000, 20'700);
  const std::vector<Finding> findings = Find();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_STREQ(FindingName(findings[0].kind), "serial copies");
  EXPECT_EQ(findings[0].count, 10u);
  EXPECT_EQ(findings[0].cost, 3'000u);
  EXPECT_EQ(findings[0].during, 10'700u);
}

TEST_F(FindingsTest, FindsACopyThatHoldsUpTheNextKernel) {
  AddGpu();
  for (uint64_t at = 10'000; at < 20'000; at += 1000) {
    Copy(at - 10, at, at + 300);
    Kernel(at + 100, at + 300, at + 900);
  }
  const std::vector<Finding> findings = Find();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].count, 10u);
  EXPECT_EQ(findings[0].cost, 3'000u);
}

TEST_F(FindingsTest, IgnoresCopiesBesideKernels) {
  AddGpu();
  for (uint64_t at = 10'000; at < 20'000; at += 1000) {
    Kernel(5'000, at, at + 1000);
    Copy(6'000, at + 600, at + 900);
  }
  EXPECT_TRUE(Find().empty());
}

TEST_F(FindingsTest, IgnoresCopiesThatQueueAfterCopies) {
  AddGpu();
  Kernel(5'000, 10'000, 11'000);
  Copy(6'000, 10'900, 11'300);
  for (uint64_t at = 11'300; at < 14'000; at += 300) Copy(6'000, at, at + 300);
  EXPECT_TRUE(Find().empty()) << "they waited for the copies before them";
}

TEST_F(FindingsTest, IgnoresCopiesForWhichNoKernelWaits) {
  AddGpu();
  for (uint64_t at = 10'000; at < 20'000; at += 1000) {
    Copy(at - 10, at, at + 300);
    Kernel(at + 310, at + 320, at + 900);
  }
  EXPECT_TRUE(Find().empty()) << "the host waited for the copy: a cause of idle time";
}

class RankTailTest : public FindingsTest {
 protected:
  // Adds each rank's steps, one after the other. `late`: the extra time of the n-th step.
  void AddRank(int32_t rank, uint64_t first, const std::vector<uint64_t>& late) {
    if (rank > 0) trace_.NextProcess();
    trace_.Rank(rank, 3, "job");
    for (const uint64_t more : late) {
      trace_.Push(101, first, "step");
      first += 1000 + more;
      trace_.Pop(101, first);
    }
  }
};

TEST_F(RankTailTest, NamesARankThatIsSlowerInMostSteps) {
  AddRank(0, 1'000, {0, 0, 0, 0, 0, 0, 0, 0, 0, 40});
  // With a clock that is ahead
  AddRank(1, 90'000, {300, 200, 400, 300, 300, 300, 300, 300, 300, 0});
  AddRank(2, 1'100, {10, 0, 20, 0, 0, 0, 0, 0, 0, 0});
  const std::vector<Finding> findings = Find();
  ASSERT_EQ(findings.size(), 1u);
  const Finding& tail = findings[0];
  EXPECT_STREQ(FindingName(tail.kind), "rank tail");
  EXPECT_EQ(tail.rank, 1);
  EXPECT_EQ(tail.where, "step");
  EXPECT_EQ(tail.ranks, 3u);
  EXPECT_EQ(tail.count, 9u);
  EXPECT_EQ(tail.all, 10u);
  EXPECT_EQ(tail.cost, 290u + 200 + 380 + 6 * 300);
  EXPECT_EQ(tail.during, 1300u + 1200 + 1400 + 6 * 1300);
}

// Among three equal ranks, chance makes one the slowest in 8 of 10 steps in one of a hundred jobs.
TEST_F(RankTailTest, IgnoresARankThatMayBeSlowerByChance) {
  AddRank(0, 1'000, {0, 0, 0, 0, 0, 0, 0, 0, 300, 300});
  AddRank(1, 1'000, {300, 300, 300, 300, 300, 300, 300, 300, 0, 0});
  AddRank(2, 1'000, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(Find().empty());
}

TEST_F(RankTailTest, FindsNothingInAFewSteps) {
  AddRank(0, 1'000, {0, 0, 0, 0});
  AddRank(1, 1'000, {300, 200, 400, 300});
  AddRank(2, 1'000, {0, 0, 0, 0});
  EXPECT_TRUE(Find().empty()) << "all of 4 steps: 3.7 % of jobs whose ranks are alike";
}

// Late in most of many steps: the chance is a sum of numbers far below the smallest double.
TEST_F(RankTailTest, FindsARankThatIsLateInMostOfManySteps) {
  std::vector<uint64_t> late(3000, 300), alike(3000, 0);
  for (size_t i = 0; i < late.size(); i += 3) late[i] = 0;
  AddRank(0, 1'000, alike);
  AddRank(1, 1'000, late);
  AddRank(2, 1'000, alike);
  const std::vector<Finding> findings = Find();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].count, 2000u);
}

// Jobs of two to four ranks that differ only by chance, by up to 40 %.
TEST(RankTails, RarelyFindsOneAmongEqualRanks) {
  std::mt19937 random(1);
  size_t found = 0;
  constexpr size_t kJobs = 4000;
  for (size_t job = 0; job < kJobs; ++job) {
    const uint64_t ranks = 2 + job % 3, steps = 6 + random() % 30;
    std::vector<RankTail> tails(ranks, {.range = "step", .ranks = ranks, .steps = steps});
    for (uint64_t step = 0; step < steps; ++step) {
      std::vector<uint64_t> took(ranks);
      for (uint64_t& each : took) each = 1000 + random() % 400;
      const auto slowest = std::max_element(took.begin(), took.end());
      RankTail& tail = tails[static_cast<size_t>(slowest - took.begin())];
      std::vector<uint64_t> sorted = took;
      std::sort(sorted.begin(), sorted.end());
      ++tail.late_steps;
      tail.cost += *slowest - sorted[(ranks - 1) / 2];
      tail.median += sorted[(ranks - 1) / 2];
    }
    const auto by_cost = [](const RankTail& a, const RankTail& b) { return a.cost < b.cost; };
    found += Findings({}, {*std::max_element(tails.begin(), tails.end(), by_cost)}).size();
  }
  EXPECT_LE(found, kJobs / 100);
}

TEST_F(RankTailTest, IgnoresRanksThatAreLateInTurn) {
  AddRank(0, 1'000, {300, 0, 0, 300, 0, 0});
  AddRank(1, 1'000, {0, 300, 0, 0, 300, 0});
  AddRank(2, 1'000, {0, 0, 300, 0, 0, 300});
  EXPECT_TRUE(Find().empty());
}

TEST_F(RankTailTest, IgnoresASingleRank) {
  AddRank(0, 1'000, {0, 300, 0, 500});
  EXPECT_TRUE(Find().empty());
}

}  // namespace
}  // namespace rtl::analysis
