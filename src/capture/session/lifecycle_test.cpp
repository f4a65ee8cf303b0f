// SPDX-License-Identifier: MIT
#include "capture/session/lifecycle.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rtl::capture {
namespace {

using State = Lifecycle::State;
constexpr State kAll[] = {State::kNew,      State::kOpen, State::kTracing, State::kStopped,
                          State::kFinished, State::kOff,  State::kForked};

TEST(Lifecycle, AllowsOnlyTheDocumentedTransitions) {
  const std::set<std::pair<State, State>> steps = {
      {State::kNew, State::kOpen},         {State::kNew, State::kOff},
      {State::kOpen, State::kTracing},     {State::kOpen, State::kFinished},
      {State::kTracing, State::kStopped},  {State::kStopped, State::kOpen},
      {State::kStopped, State::kFinished},
  };
  for (const State from : kAll) {
    for (const State to : kAll) {
      const bool expected = to == State::kForked || steps.count({from, to}) == 1;
      EXPECT_EQ(Lifecycle::Legal(from, to), expected) << StateName(from) << " " << StateName(to);
    }
  }
}

TEST(Lifecycle, AllowsSeveralRuntimesOneAfterTheOther) {
  Lifecycle life;
  EXPECT_TRUE(life.Advance(State::kNew, State::kOpen));
  for (int cycle = 0; cycle < 3; ++cycle) {
    EXPECT_TRUE(life.Advance(State::kOpen, State::kTracing));
    EXPECT_TRUE(life.Advance(State::kTracing, State::kStopped));
    EXPECT_FALSE(life.Advance(State::kTracing, State::kStopped)) << "a second stop";
    EXPECT_TRUE(life.Advance(State::kStopped, State::kOpen));
  }
  EXPECT_TRUE(life.Advance(State::kOpen, State::kFinished));
  EXPECT_EQ(life.state(), State::kFinished);
}

TEST(Lifecycle, KeepsAForkedChildForked) {
  Lifecycle life;
  EXPECT_TRUE(life.Advance(State::kNew, State::kOpen));
  life.Fork();
  EXPECT_FALSE(life.Advance(State::kOpen, State::kTracing));
  EXPECT_FALSE(life.Advance(State::kOpen, State::kFinished));
  EXPECT_EQ(life.state(), State::kForked);
}

TEST(Lifecycle, ReportsAndRejectsAnIllegalTransition) {
  Lifecycle life;
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(life.Advance(State::kNew, State::kTracing));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "rtl: the session cannot go from new to tracing\n");
  EXPECT_EQ(life.state(), State::kNew);
}

}  // namespace
}  // namespace rtl::capture
