// SPDX-License-Identifier: MIT
#include "capture/queue/queue_counts.h"

#include <gtest/gtest.h>

#include "tests/support/memory_sink.h"

namespace rtl::capture {
namespace {

class QueueCountsTest : public ::testing::Test {
 protected:
  void SetUp() override { counts_.Open(&state_, &sink_, nullptr, true); }

  HookState state_;
  support::MemorySink sink_;
  QueueCounts counts_;
};

TEST_F(QueueCountsTest, CountsAKernelOnceForTheQueueAndOnceForTheProcess) {
  EXPECT_TRUE(counts_.CountSubmitted(3));
  counts_.CountLoss(Loss::kBacklog, 1);
  EXPECT_EQ(counts_.submitted(), 3u);
  EXPECT_EQ(counts_.lost(Loss::kBacklog), 1u);
  EXPECT_EQ(sink_.submitted(), 3u);
  EXPECT_EQ(sink_.lost(), 1u);
}

TEST_F(QueueCountsTest, LeavesTheProcesssSumToACounterOfItsOwn) {
  QueueCounter counter;
  counts_.Open(&state_, &sink_, &counter, false);
  counter.submitted = 7;  // left by an earlier queue
  counts_.Serve(2);
  EXPECT_TRUE(counts_.CountSubmitted(1));
  EXPECT_EQ(counter.submitted.load(), 8u);
  EXPECT_EQ(counts_.submitted(), 1u);
  EXPECT_EQ(sink_.submitted(), 0u);
}

TEST_F(QueueCountsTest, CountsAsLostForTheProcessWhatComesWhenTheTotalsAreFinal) {
  EXPECT_TRUE(counts_.CountSubmitted(1));
  state_.closed = true;
  EXPECT_FALSE(counts_.CountSubmitted(2));
  counts_.CountLoss(Loss::kBacklog, 2);  // they were counted as lost already
  EXPECT_EQ(counts_.submitted(), 1u);
  EXPECT_EQ(sink_.submitted(), 3u);
  EXPECT_EQ(sink_.loss(Loss::kShutdown), 2u);
  EXPECT_EQ(sink_.lost(), 2u);
}

TEST_F(QueueCountsTest, CountsNothingWhenTheTraceEndsAndTheProgramGoesOn) {
  state_.closed = true;
  state_.leaving = true;
  EXPECT_FALSE(counts_.CountSubmitted(2));
  EXPECT_EQ(sink_.submitted() + sink_.lost(), 0u);
  EXPECT_EQ(counts_.counted(), 2u) << "the queue's indices go on";
}

TEST_F(QueueCountsTest, KnowsTheIndexBehindTheLastPacketOfAQueueThatRanBefore) {
  counts_.BeginAt(100);
  EXPECT_EQ(counts_.counted(), 100u);
  EXPECT_TRUE(counts_.CountSubmitted(2));
  counts_.CountOther(3);
  counts_.NotePassed(4);
  counts_.CountMissed(Loss::kTakenEarly, 5);
  EXPECT_EQ(counts_.counted(), 114u);
}

TEST_F(QueueCountsTest, BeginsANewQueueWithoutTheNumbersOfTheLast) {
  counts_.CountOther(3);
  counts_.NotePassed(4);
  counts_.CountMissed(Loss::kTakenEarly, 5);
  QueueCounter counter;
  counts_.Open(&state_, &sink_, &counter, false);
  counts_.Serve(1);
  EXPECT_EQ(counts_.counted(), 0u);
  EXPECT_EQ(counts_.lost(Loss::kTakenEarly), 0u);
  EXPECT_EQ(counts_.other(), 3u) << "of the object, for the worker's sum";
}

TEST_F(QueueCountsTest, CountsBarriersOnlyWhereTheyAreEvents) {
  EXPECT_TRUE(counts_.CountBarriers(2));
  counts_.CountBarrierLoss(Loss::kBacklog, 1);
  EXPECT_EQ(sink_.submitted(EventKind::kBarrier), 2u);
  EXPECT_EQ(sink_.lost(EventKind::kBarrier), 1u);
  counts_.Open(&state_, &sink_, nullptr, false);
  EXPECT_TRUE(counts_.CountBarriers(2));
  counts_.CountBarrierLoss(Loss::kBacklog, 1);
  EXPECT_EQ(sink_.submitted(EventKind::kBarrier), 2u);
  EXPECT_EQ(sink_.lost(EventKind::kBarrier), 1u);
}

}  // namespace
}  // namespace rtl::capture
