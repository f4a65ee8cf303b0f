// SPDX-License-Identifier: MIT
#include "capture/queue/queue_ledger.h"

#include <gtest/gtest.h>

#include "tests/support/memory_sink.h"

namespace rtl::capture {
namespace {

class QueueLedgerTest : public ::testing::Test {
 protected:
  void SetUp() override { ledger_.Open(&state_, &sink_, nullptr, true); }

  HookState state_;
  support::MemorySink sink_;
  QueueLedger ledger_;
};

TEST_F(QueueLedgerTest, CountsAKernelOnceForTheQueueAndOnceForTheProcess) {
  EXPECT_TRUE(ledger_.CountSeen(3));
  ledger_.CountLoss(Loss::kBacklog, 1);
  EXPECT_EQ(ledger_.seen(), 3u);
  EXPECT_EQ(ledger_.lost(Loss::kBacklog), 1u);
  EXPECT_EQ(sink_.seen(), 3u);
  EXPECT_EQ(sink_.lost(), 1u);
}

TEST_F(QueueLedgerTest, LeavesTheProcesssSumToACounterOfItsOwn) {
  QueueCounter counter;
  ledger_.Open(&state_, &sink_, &counter, false);
  counter.seen = 7;  // of an earlier queue
  ledger_.Serve(2);
  EXPECT_TRUE(ledger_.CountSeen(1));
  EXPECT_EQ(counter.seen.load(), 8u);
  EXPECT_EQ(ledger_.seen(), 1u);
  EXPECT_EQ(sink_.seen(), 0u);
}

TEST_F(QueueLedgerTest, CountsAsLostForTheProcessWhatComesWhenTheTotalsAreFinal) {
  EXPECT_TRUE(ledger_.CountSeen(1));
  state_.closed = true;
  EXPECT_FALSE(ledger_.CountSeen(2));
  ledger_.CountLoss(Loss::kBacklog, 2);  // they were counted as lost already
  EXPECT_EQ(ledger_.seen(), 1u);
  EXPECT_EQ(sink_.seen(), 3u);
  EXPECT_EQ(sink_.loss(Loss::kShutdown), 2u);
  EXPECT_EQ(sink_.lost(), 2u);
}

TEST_F(QueueLedgerTest, CountsNothingWhenTheTraceEndsAndTheProgramGoesOn) {
  state_.closed = true;
  state_.leaving = true;
  EXPECT_FALSE(ledger_.CountSeen(2));
  EXPECT_EQ(sink_.seen() + sink_.lost(), 0u);
  EXPECT_EQ(ledger_.counted(), 2u) << "the queue's indices go on";
}

TEST_F(QueueLedgerTest, KnowsTheIndexBehindTheLastPacketOfAQueueThatRanBefore) {
  ledger_.BeginAt(100);
  EXPECT_EQ(ledger_.counted(), 100u);
  EXPECT_TRUE(ledger_.CountSeen(2));
  ledger_.CountOther(3);
  ledger_.NotePassed(4);
  ledger_.CountMissed(Loss::kTakenEarly, 5);
  EXPECT_EQ(ledger_.counted(), 114u);
}

TEST_F(QueueLedgerTest, BeginsANewQueueWithoutTheNumbersOfTheLast) {
  ledger_.CountOther(3);
  ledger_.NotePassed(4);
  ledger_.CountMissed(Loss::kTakenEarly, 5);
  QueueCounter counter;
  ledger_.Open(&state_, &sink_, &counter, false);
  ledger_.Serve(1);
  EXPECT_EQ(ledger_.counted(), 0u);
  EXPECT_EQ(ledger_.lost(Loss::kTakenEarly), 0u);
  EXPECT_EQ(ledger_.other(), 3u) << "of the object, for the worker's sum";
}

TEST_F(QueueLedgerTest, CountsBarriersOnlyWhereTheyAreEvents) {
  EXPECT_TRUE(ledger_.CountBarriers(2));
  ledger_.CountBarrierLoss(Loss::kBacklog, 1);
  EXPECT_EQ(sink_.seen(EventKind::kBarrier), 2u);
  EXPECT_EQ(sink_.lost(EventKind::kBarrier), 1u);
  ledger_.Open(&state_, &sink_, nullptr, false);
  EXPECT_TRUE(ledger_.CountBarriers(2));
  ledger_.CountBarrierLoss(Loss::kBacklog, 1);
  EXPECT_EQ(sink_.seen(EventKind::kBarrier), 2u);
  EXPECT_EQ(sink_.lost(EventKind::kBarrier), 1u);
}

}  // namespace
}  // namespace rtl::capture
