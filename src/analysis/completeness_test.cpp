// SPDX-License-Identifier: MIT
#include "analysis/completeness.h"

#include <gtest/gtest.h>

#include "model/losses.h"

namespace rtl::analysis {
namespace {

TEST(Completeness, ReadsOnlyLossesThatHappened) {
  const query::Metadata metadata = {{"submitted.kernels", "1200"}, {"recorded.kernels", "1170"},
                                    {"loss.kBatch.kernels", "20"}, {"loss.kShutdown.kernels", "10"},
                                    {"loss.kTorn.kernels", "0"},   {"loss.kBatch.markers", "7"},
                                    {"submitted.markers", "7"}};
  const std::vector<KindCompleteness> completeness = ReadCompleteness(metadata);
  ASSERT_EQ(completeness.size(), kEventKindCount);
  const KindCompleteness& kernels = completeness[0];
  EXPECT_EQ(kernels.kind, "kernels");
  EXPECT_EQ(kernels.submitted, 1200u);
  EXPECT_EQ(kernels.recorded, 1170u);
  ASSERT_EQ(kernels.losses.size(), 2u);
  EXPECT_EQ(kernels.losses[0].name, "kBatch");
  EXPECT_EQ(kernels.losses[0].text, LossText(Loss::kBatch));
  EXPECT_EQ(kernels.losses[0].events, 20u);
  EXPECT_TRUE(kernels.losses[0].left_out);
  EXPECT_EQ(kernels.left_out(), 20u);
  EXPECT_EQ(kernels.lost(), 10u);
  EXPECT_DOUBLE_EQ(kernels.coverage(), 97.5);
  EXPECT_TRUE(kernels.balanced());
  EXPECT_EQ(completeness[1].left_out(), 7u);
}

TEST(Completeness, KeepsALossUnknownToThisVersion) {
  const auto completeness =
      ReadCompleteness({{"submitted.kernels", "5"}, {"loss.kFuture.kernels", "5"}});
  ASSERT_EQ(completeness[0].losses.size(), 1u);
  EXPECT_EQ(completeness[0].losses[0].text, "kFuture");
  EXPECT_TRUE(completeness[0].balanced());
}

TEST(Completeness, PrintsOneCompletenessLine) {
  KindCompleteness kernels{"kernels", 1200, 1170, {{"kKilled", "", 20}, {"kShutdown", "", 10}}};
  EXPECT_EQ(CompletenessLine(kernels),
            "kernels: 1,200 submitted, 1,170 recorded, 30 lost (kKilled: 20, kShutdown: 10)");
  kernels.losses.pop_back();
  EXPECT_EQ(CompletenessLine(kernels),
            "kernels: 1,200 submitted, 1,170 recorded, 20 lost (kKilled: 20);"
            " these numbers do not add up");
}

TEST(Completeness, DoesNotClaimThatCallsWereCountedIndependently) {
  const auto completeness = ReadCompleteness({{"submitted.hip_calls", "34"},
                                              {"recorded.hip_calls", "34"},
                                              {"not_counted.hip_calls", "some are not seen"}});
  const auto calls = static_cast<size_t>(EventKind::kHipCall);
  EXPECT_EQ(CompletenessLine(completeness[calls]),
            "hip_calls: 34 seen, 34 recorded, 0 lost; some are not seen");
}

TEST(Completeness, KeepsEventsThatTheModeLeavesOutApart) {
  const KindCompleteness kernels{
      "kernels", 1200, 1170, {{"kBatch", "", 20, true}, {"kShutdown", "", 10}}};
  EXPECT_EQ(CompletenessLine(kernels),
            "kernels: 1,200 submitted, 1,170 recorded, 20 left out on purpose (kBatch: 20),"
            " 10 lost (kShutdown: 10)");
  EXPECT_TRUE(kernels.balanced());
}

TEST(Completeness, HasASentenceForTheCausesOfEarlierTraces) {
  const auto completeness =
      ReadCompleteness({{"submitted.kernels", "3"}, {"loss.kUnseen.kernels", "2"}});
  const auto kernels = static_cast<size_t>(EventKind::kKernel);
  ASSERT_EQ(completeness[kernels].losses.size(), 1u);
  EXPECT_EQ(completeness[kernels].losses[0].name, "kUnseen");
  EXPECT_EQ(completeness[kernels].losses[0].text,
            "the tracer did not get the packet: taken early, or not submitted");
}

TEST(Completeness, IsCompleteWithoutEvents) {
  EXPECT_DOUBLE_EQ(KindCompleteness().coverage(), 100);
}

}  // namespace
}  // namespace rtl::analysis
