// SPDX-License-Identifier: MIT
#include "capture/marker/pause.h"

#include <gtest/gtest.h>

#include <thread>

namespace rtl::capture {
namespace {

class PauseTest : public ::testing::Test {
 protected:
  void TearDown() override { Pause::End(Pause::kAllThreads); }

  static bool ActiveElsewhere() {
    bool active = false;
    std::thread([&] { active = Pause::Active(); }).join();
    return active;
  }
  const uint32_t self_ = ThreadId::Current();
};

TEST_F(PauseTest, OneResumeEndsAnyNumberOfPauses) {
  EXPECT_FALSE(Pause::Active());
  EXPECT_TRUE(Pause::Begin(Pause::kAllThreads));
  EXPECT_TRUE(Pause::Begin(Pause::kAllThreads));
  EXPECT_TRUE(Pause::Active());
  EXPECT_TRUE(ActiveElsewhere());
  Pause::End(Pause::kAllThreads);
  EXPECT_FALSE(Pause::Active());
  Pause::End(Pause::kAllThreads);
  EXPECT_FALSE(Pause::Active());
}

TEST_F(PauseTest, OneThreadIsPausedAndTheOthersGoOn) {
  EXPECT_TRUE(Pause::Begin(self_));
  EXPECT_TRUE(Pause::Begin(self_));
  EXPECT_TRUE(Pause::Active());
  EXPECT_FALSE(ActiveElsewhere());
  Pause::End(self_ + 1);
  EXPECT_TRUE(Pause::Active());
  Pause::End(self_);
  EXPECT_FALSE(Pause::Active());
}

TEST_F(PauseTest, ResumingAllResumesThoseThatWerePausedAlone) {
  EXPECT_TRUE(Pause::Begin(self_));
  EXPECT_TRUE(Pause::Begin(Pause::kAllThreads));
  Pause::End(self_);
  EXPECT_TRUE(Pause::Active()) << "all are";
  EXPECT_TRUE(Pause::Begin(self_));
  Pause::End(Pause::kAllThreads);
  EXPECT_FALSE(Pause::Active());
}

TEST_F(PauseTest, ThereIsRoomForSoManyThreadsAndThenForAllOfThem) {
  for (uint32_t i = 0; i < Pause::kMaxThreads; ++i) EXPECT_TRUE(Pause::Begin(1'000'000 + i));
  EXPECT_FALSE(Pause::Begin(self_));
  EXPECT_FALSE(Pause::Active());
  EXPECT_TRUE(Pause::Begin(Pause::kAllThreads));
  EXPECT_TRUE(Pause::Active());
  Pause::End(Pause::kAllThreads);
  EXPECT_TRUE(Pause::Begin(self_));
  EXPECT_TRUE(Pause::Active());
}

}  // namespace
}  // namespace rtl::capture
