// SPDX-License-Identifier: MIT
#include "capture/roctx/pause.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/clock.h"

namespace rtl::capture {
namespace {

class PauseTest : public ::testing::Test {
 protected:
  void TearDown() override { Pause::TEST_Reset(); }

  static bool ActiveElsewhere() {
    bool active = false;
    std::thread([&] { active = Pause::Active(); }).join();
    return active;
  }
  const uint32_t self_ = ThreadId::Current();
};

TEST_F(PauseTest, EndsAnyNumberOfPausesWithOneResume) {
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

TEST_F(PauseTest, PausesOneThreadWhileTheOthersContinue) {
  EXPECT_TRUE(Pause::Begin(self_));
  EXPECT_TRUE(Pause::Begin(self_));
  EXPECT_TRUE(Pause::Active());
  EXPECT_FALSE(ActiveElsewhere());
  Pause::End(self_ + 1);
  EXPECT_TRUE(Pause::Active());
  Pause::End(self_);
  EXPECT_FALSE(Pause::Active());
}

TEST_F(PauseTest, ResumesIndividuallyPausedThreadsWithAll) {
  EXPECT_TRUE(Pause::Begin(self_));
  EXPECT_TRUE(Pause::Begin(Pause::kAllThreads));
  Pause::End(self_);
  EXPECT_TRUE(Pause::Active()) << "all are";
  EXPECT_TRUE(Pause::Begin(self_));
  Pause::End(Pause::kAllThreads);
  EXPECT_FALSE(Pause::Active());
}

TEST_F(PauseTest, LimitsIndividuallyPausedThreadsAndStillPausesAll) {
  for (uint32_t i = 0; i < Pause::kMaxThreads; ++i) EXPECT_TRUE(Pause::Begin(1'000'000 + i));
  EXPECT_FALSE(Pause::Begin(self_));
  EXPECT_FALSE(Pause::Active());
  EXPECT_TRUE(Pause::Begin(Pause::kAllThreads));
  EXPECT_TRUE(Pause::Active());
  Pause::End(Pause::kAllThreads);
  EXPECT_TRUE(Pause::Begin(self_));
  EXPECT_TRUE(Pause::Active());
}

TEST_F(PauseTest, OmitsEventsOutsideOfAPeriod) {
  constexpr uint64_t kHour = uint64_t{3600} * 1'000'000'000;
  const uint64_t now = BootTimeNs();
  Pause::RecordBetween(0, UINT64_MAX);
  EXPECT_FALSE(Pause::Active());
  Pause::RecordBetween(now, now + kHour);
  EXPECT_FALSE(Pause::Active());
  EXPECT_TRUE(Pause::Begin(Pause::kAllThreads));
  EXPECT_TRUE(Pause::Active()) << "both conditions must hold";
  Pause::End(Pause::kAllThreads);
  EXPECT_FALSE(Pause::Active());
  Pause::RecordBetween(now + kHour, UINT64_MAX);
  EXPECT_TRUE(Pause::Active());
  Pause::End(Pause::kAllThreads);
  EXPECT_TRUE(Pause::Active()) << "no call of the program ends it";
  Pause::RecordBetween(0, now);
  EXPECT_TRUE(ActiveElsewhere());
}

TEST_F(PauseTest, OmitsEventsOutsideOfARange) {
  Pause::RecordDuring("");
  EXPECT_FALSE(Pause::Active());
  EXPECT_FALSE(Pause::Awaits("step"));
  Pause::RecordDuring("step");
  EXPECT_TRUE(Pause::Active());
  EXPECT_TRUE(Pause::Awaits("step"));
  EXPECT_FALSE(Pause::Awaits("steps"));
  EXPECT_FALSE(Pause::Awaits(nullptr));
  Pause::EnterRange();
  Pause::EnterRange();
  EXPECT_FALSE(ActiveElsewhere());
  Pause::LeaveRange();
  EXPECT_FALSE(Pause::Active());
  Pause::LeaveRange();
  Pause::LeaveRange();
  EXPECT_TRUE(Pause::Active());
  Pause::EnterRange();
  EXPECT_FALSE(Pause::Active()) << "surplus ends are ignored";
}

}  // namespace
}  // namespace rtl::capture
