// SPDX-License-Identifier: MIT
#include "capture/session/user_warnings.h"

#include <gtest/gtest.h>
#include <stdio.h>

#include <string>
#include <vector>

#include "tests/support/session_parties.h"

namespace rtl::capture {
namespace {

char spool_of_test[64];

Status ReadSpool(Config* out) {
  *out = {};
  snprintf(out->spool, sizeof out->spool, "%s", spool_of_test);
  return Status::Ok();
}

class UserWarningsTest : public ::testing::Test {
 protected:
  // What a warning prints on stderr; `spool`: as under a launcher.
  std::string Said(const char* spool) {
    snprintf(spool_of_test, sizeof spool_of_test, "%s", spool);
    EventPlan plan(ReadSpool, &counters_, &samples_);
    EXPECT_TRUE(plan.Configure());
    UserWarnings warnings(&life_, &plan, &output_);
    ::testing::internal::CaptureStderr();
    warnings.Add("%d of %s", 3, "five");
    return ::testing::internal::GetCapturedStderr();
  }

  TraceCounters counters_;
  TracePcSamples samples_;
  Lifecycle life_;
  MemoryOutput output_;
  const std::vector<std::string> one_ = {"3 of five"};
};

TEST_F(UserWarningsTest, GoToStderrBeforeTheTraceIsOpen) {
  EXPECT_EQ(Said("/spool"), "rtl: 3 of five\n");
  EXPECT_TRUE(output_.records.warnings().empty());
}

TEST_F(UserWarningsTest, GoToTheTraceAloneUnderALauncherThatPrintsThem) {
  ASSERT_TRUE(life_.Advance(Lifecycle::State::kNew, Lifecycle::State::kOpen));
  EXPECT_EQ(Said("/spool"), "");
  EXPECT_EQ(output_.records.warnings(), one_);
}

TEST_F(UserWarningsTest, GoToBothWithoutALauncher) {
  ASSERT_TRUE(life_.Advance(Lifecycle::State::kNew, Lifecycle::State::kOpen));
  EXPECT_EQ(Said(""), "rtl: 3 of five\n");
  EXPECT_EQ(output_.records.warnings(), one_);
}

TEST_F(UserWarningsTest, GoToStderrWhenTheTraceIsFull) {
  ASSERT_TRUE(life_.Advance(Lifecycle::State::kNew, Lifecycle::State::kOpen));
  output_.records.SetFull(true);
  EXPECT_EQ(Said("/spool"), "rtl: 3 of five\n");
}

}  // namespace
}  // namespace rtl::capture
