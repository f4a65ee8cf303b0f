// SPDX-License-Identifier: MIT
#include "capture/queue/worker_progress.h"

#include <gtest/gtest.h>

namespace rtl::capture {
namespace {

class WorkerProgressTest : public ::testing::Test {
 protected:
  static constexpr int64_t kStallNs = 1'000;

  void SetUp() override {
    ASSERT_TRUE(chain_.Init(1024));
    state_.armed = true;
    progress_.Open(&state_, &bell_, kStallNs, 0);
    state_.beat = 10'000;
  }

  HookState state_;
  Bell bell_;
  PendingChain chain_;
  WorkerProgress progress_;
};

// The worker of a process that was stopped, or of a machine that slept, only had no turn.
TEST_F(WorkerProgressTest, SuspectsAWorkerFirstAndGivesItTheSameTimeAgain) {
  EXPECT_FALSE(progress_.Stalled(10'000 + kStallNs));
  EXPECT_FALSE(progress_.Stalled(50'000)) << "suspected";
  EXPECT_FALSE(progress_.Stalled(50'000 + kStallNs));
  EXPECT_TRUE(progress_.Stalled(50'001 + kStallNs));
}

TEST_F(WorkerProgressTest, ForgetsASuspicionWhenTheWorkerMakesAPass) {
  EXPECT_FALSE(progress_.Stalled(50'000));
  state_.beat = 50'500;
  EXPECT_FALSE(progress_.Stalled(50'001 + kStallNs));
  EXPECT_FALSE(progress_.Stalled(60'000)) << "suspected anew";
  EXPECT_FALSE(progress_.Stalled(60'000 + kStallNs));
}

TEST_F(WorkerProgressTest, TakesABeatThatIsNewerThanNowForAPass) {
  EXPECT_FALSE(progress_.Stalled(9'000));
  EXPECT_FALSE(progress_.Stalled(9'000));
}

TEST_F(WorkerProgressTest, WaitsOnceForRoomUntilTheWorkerHasRetiredSomething) {
  EXPECT_FALSE(progress_.WaitForRoom(chain_));
  EXPECT_FALSE(progress_.WaitForRoom(chain_)) << "at once: nothing has changed";
  ASSERT_NE(chain_.Reserve(), nullptr);
  chain_.Publish();
  ASSERT_EQ(chain_.Available(), 1u);
  chain_.Retire();
  EXPECT_FALSE(progress_.WaitForRoom(chain_)) << "a new position: it waits again, in vain";
}

}  // namespace
}  // namespace rtl::capture
