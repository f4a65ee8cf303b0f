// SPDX-License-Identifier: MIT
#include "capture/session/event_plan.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>

namespace rtl::capture {
namespace {

Config configured;
Status configured_problem = Status::Ok();
int configured_reads = 0;

Status ReadConfigured(Config* out) {
  ++configured_reads;
  *out = configured;
  return configured_problem;
}

template <size_t N>
void SetText(char (&field)[N], const char* value) {
  snprintf(field, N, "%s", value);
}

class EventPlanTest : public testing::Test {
 protected:
  void SetUp() override {
    configured = {};
    configured_problem = Status::Ok();
    configured_reads = 0;
  }
  void TearDown() override { unsetenv("RTL_PC_SAMPLING"); }
  // The events of a configuration without problems.
  EventSet Events() {
    EXPECT_TRUE(plan_.Make());
    EXPECT_FALSE(plan_.off());
    EXPECT_STREQ(plan_.problem().message(), Status::Ok().message());
    return plan_.events();
  }
  void ExpectProblem(bool off, const char* text) {
    EXPECT_TRUE(plan_.Make());
    EXPECT_EQ(plan_.off(), off);
    EXPECT_STREQ(plan_.problem().message(), text);
  }

  TraceCounters counters_;
  TracePcSamples samples_;
  EventPlan plan_{ReadConfigured, &counters_, &samples_};
};

TEST_F(EventPlanTest, AModeIsASetOfEvents) {
  configured.mode = Mode::kHip;
  EXPECT_EQ(Events(), EventSet(EventKind::kKernel, EventKind::kCopy, EventKind::kMarker,
                               EventKind::kHipCall));
  plan_.UseMode(Mode::kFull);
  EXPECT_EQ(plan_.events(), EventSet(EventKind::kKernel, EventKind::kCopy, EventKind::kMarker));
  EXPECT_EQ(plan_.config().mode, Mode::kFull);
}

TEST_F(EventPlanTest, ChosenEventsReplaceThoseOfTheMode) {
  configured.barriers = true;
  SetText(configured.events, "kernels");
  EXPECT_EQ(Events(), EventSet(EventKind::kKernel, EventKind::kBarrier));
}

TEST_F(EventPlanTest, CountersAndSamplesComeWithKernels) {
  SetText(configured.counters, "SQ_WAVES");
  SetText(configured.events, "kernels");
  EXPECT_EQ(Events(), EventSet(EventKind::kKernel, EventKind::kCounter));
}

TEST_F(EventPlanTest, AGpuCountsOrIsSampled) {
  setenv("RTL_PC_SAMPLING", "100us", 1);
  SetText(configured.counters, "SQ_WAVES");
  ExpectProblem(false, "RTL_PC_SAMPLING is ignored with RTL_COUNTERS: a GPU does one of them");
  EXPECT_FALSE(plan_.events().Has(EventKind::kPcSample));
}

TEST_F(EventPlanTest, EventsThatCannotBeHadTurnTracingOff) {
  SetText(configured.events, "kernels,counters");
  ExpectProblem(true, "RTL_EVENTS has counters, and RTL_COUNTERS names none; tracing is off");
}

TEST_F(EventPlanTest, TheFirstProblemIsNamed) {
  configured_problem = Status::Error("RTL_MODE has no such value");
  SetText(configured.events, "kernels,counters");
  ExpectProblem(true, "RTL_MODE has no such value");
}

TEST_F(EventPlanTest, IsMadeOnceAndAnewWhenItWasForgotten) {
  configured.disabled = true;
  EXPECT_TRUE(plan_.Make());
  EXPECT_TRUE(plan_.off());
  EXPECT_TRUE(plan_.Make());
  EXPECT_EQ(configured_reads, 1);
  configured.disabled = false;
  plan_.Forget();
  EXPECT_FALSE(plan_.made());
  EXPECT_TRUE(plan_.Make());
  EXPECT_FALSE(plan_.off());
  EXPECT_EQ(configured_reads, 2);
}

}  // namespace
}  // namespace rtl::capture
