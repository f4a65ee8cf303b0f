// SPDX-License-Identifier: MIT
#include "analysis/step_times.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/read/query_test_support.h"

namespace rtl::analysis {
namespace {

using test::TraceBuilder;

class StepTimesTest : public testing::Test {
 protected:
  StepTimesTest() { queue_ = trace_.Queue(trace_.Gpu("gfx90a")); }
  void Launch(const char* kernel, uint64_t call, uint64_t start, uint64_t end) {
    trace_.Call(TraceBuilder::CallNumber("hipLaunchKernel"), {0, 0, 0, 0, 0, 0, 0, 0},
                {.start = call, .end = call + 5, .correlation = ++calls_});
    trace_.Dispatch(queue_, trace_.Kernel(kernel),
                    {.start = start, .end = end, .submitted = call + 2, .correlation = calls_});
  }
  void Range(const std::string& name, uint64_t start, uint64_t end) {
    trace_.Start(101, start, ++ranges_, name);
    trace_.Stop(101, end, ranges_);
  }
  std::vector<StepGroup> Find() {
    const std::string path = dir_.File("trace.db");
    query::ExpectOk(trace_.WriteDatabase(path));
    auto reader = query::OpenTrace(path);
    std::vector<StepGroup> groups;
    query::ExpectOk(FindSteps(*reader, &groups));
    return groups;
  }

  test::TempDir dir_;
  TraceBuilder trace_;
  uint32_t queue_ = 0;
  uint64_t calls_ = 0, ranges_ = 0;
};

TEST_F(StepTimesTest, TheFirstSlowStepAndItsKernelAreNamed) {
  for (uint64_t i = 0; i < 10; ++i) {
    const uint64_t at = 100'000 * (i + 1), more = i == 6 ? 40'000 : 0;
    Range("ProfilerStep#" + std::to_string(i + 3), at, at + 50'000 + more);
    Launch("gemm", at + 100, at + 1'000, at + 11'000);
    Launch("norm", at + 200, at + 11'000, at + 12'000 + more);
  }
  const std::vector<StepGroup> groups = Find();
  ASSERT_EQ(groups.size(), 1u);
  const StepGroup& group = groups[0];
  EXPECT_EQ(group.steps, 10u);
  EXPECT_EQ(group.median, 50'000u);
  EXPECT_EQ(group.max, 90'000u);
  EXPECT_EQ(group.kernels, 20u);
  EXPECT_EQ(group.launches, 20u);
  EXPECT_EQ(group.gpu_busy, 10u * 11'000 + 40'000);
  ASSERT_TRUE(group.slow.has_value());
  EXPECT_EQ(group.slow->number, 7u);
  EXPECT_EQ(group.slow->name, "ProfilerStep#9");
  EXPECT_EQ(group.slow->kernel, "norm");
  EXPECT_EQ(group.slow->kernel_time, 41'000u);
  EXPECT_EQ(group.slow->kernel_usual, 1'000u);
  EXPECT_FALSE(group.is_launch_bound());
}

TEST_F(StepTimesTest, AStepThatTheHostHeldNamesNoKernel) {
  for (uint64_t i = 0; i < 5; ++i) {
    const uint64_t at = 100'000 * (i + 1);
    Range("step " + std::to_string(i), at, at + (i == 2 ? 90'000 : 50'000));
    Launch("gemm", at + 100, at + 1'000, at + 11'000);
  }
  const std::vector<StepGroup> groups = Find();
  ASSERT_EQ(groups.size(), 1u);
  ASSERT_TRUE(groups[0].slow.has_value());
  EXPECT_EQ(groups[0].slow->name, "step 2");
  EXPECT_EQ(groups[0].slow->kernel, "");
}

TEST_F(StepTimesTest, PrefillAndDecodeAreApart) {
  Range("ProfilerStep#0", 50, 900'000);  // around the steps of the server
  Range("execute_context_2(300)_generation_0(0)", 1'000, 51'000);
  Range("execute_context_0(0)_generation_8(8)", 60'000, 70'000);
  Range("execute_context_0(0)_generation_8(8)", 80'000, 92'000);
  Range("execute_context_1(9)_generation_8(8)", 100'000, 130'000);
  Launch("attention", 1'100, 2'000, 40'000);
  Launch("decode", 60'100, 61'000, 69'000);
  const std::vector<StepGroup> groups = Find();
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].kind, StepKind::kPrefill);
  EXPECT_EQ(groups[0].gpu_busy, 38'000u);
  EXPECT_EQ(groups[1].kind, StepKind::kMixed);
  EXPECT_EQ(groups[2].kind, StepKind::kDecode);
  EXPECT_EQ(groups[2].steps, 2u);
  EXPECT_EQ(groups[2].gpu_busy, 8'000u);
}

TEST_F(StepTimesTest, GapsInWhichTheNextKernelWasNotYetLaunchedAreWhatAGraphSaves) {
  for (uint64_t i = 0; i < 4; ++i) {
    const uint64_t at = 1'000'000 * (i + 1);
    Range("step", at, at + 100'000);
    for (uint64_t k = 0; k < 10; ++k)  // 2 µs of work every 10 µs
      Launch("small", at + 10'000 * k, at + 10'000 * k + 1'000, at + 10'000 * k + 3'000);
  }
  const std::vector<StepGroup> groups = Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].launch_gaps, 4u * 9 * 8'000);
  EXPECT_TRUE(groups[0].is_launch_bound());
}

TEST_F(StepTimesTest, WithoutRangesTheStepIsWhatTheGpuRepeats) {
  for (uint64_t i = 0; i < 6; ++i) {
    const uint64_t at = 100'000 * (i + 1);
    Launch("embed", at, at + 1'000, at + 2'000);
    for (uint64_t layer = 0; layer < 3; ++layer) {
      Launch("attention", at + 10, at + 3'000 + 2'000 * layer, at + 4'000 + 2'000 * layer);
      Launch("mlp", at + 20, at + 4'000 + 2'000 * layer, at + 5'000 + 2'000 * layer);
    }
  }
  const std::vector<StepGroup> groups = Find();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].name, "");
  EXPECT_EQ(groups[0].steps, 5u) << "the end of the last is not known";
  EXPECT_EQ(groups[0].median, 100'000u);
  EXPECT_EQ(groups[0].kernels, 35u);
}

TEST_F(StepTimesTest, NothingThatRepeatsIsNoStep) {
  for (uint64_t i = 0; i < 20; ++i)
    Launch(("kernel" + std::to_string(i)).c_str(), 100 * i, 1'000 + 100 * i, 1'050 + 100 * i);
  EXPECT_TRUE(Find().empty());
}

TEST(StepNames, AreKnownByTheirForm) {
  const auto kind = [](std::string_view name) {
    const auto step = StepNameOf(name);
    return step ? StepKindName(step->kind) : "none";
  };
  EXPECT_STREQ(kind("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk5)"), "decode");
  EXPECT_STREQ(kind("execute_context_1(888_788544)_generation_0(0)"), "prefill");
  EXPECT_STREQ(kind("step[DECODE bs=32]"), "decode");
  EXPECT_STREQ(kind("step[EXTEND bs=15 toks=15360]"), "prefill");
  EXPECT_STREQ(kind("ProfilerStep#12"), "step");
  EXPECT_STREQ(kind("iteration 7"), "step");
  EXPECT_STREQ(kind("train_step"), "step");
  EXPECT_STREQ(kind("Optimizer.step#SGD.step"), "none");
  EXPECT_STREQ(kind("stepper"), "none");
  EXPECT_STREQ(kind("execute_context_"), "none");
  EXPECT_STREQ(kind(""), "none");
}

TEST(Repetition, IsTheStepAndNotTheLayer) {
  std::vector<int64_t> sequence = {9, 9};
  for (int step = 0; step < 4; ++step) {
    sequence.push_back(1);
    for (int layer = 0; layer < 5; ++layer) sequence.insert(sequence.end(), {2, 3});
  }
  EXPECT_EQ(FindRepetition(sequence), (std::vector<size_t>{2, 13, 24, 35}));
  EXPECT_TRUE(FindRepetition({}).empty());
  EXPECT_TRUE(FindRepetition({1, 1, 1, 1, 1}).empty()) << "one kernel is no step";
}

}  // namespace
}  // namespace rtl::analysis
