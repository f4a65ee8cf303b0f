// SPDX-License-Identifier: MIT
#include "capture/session/parties.h"

#include <gtest/gtest.h>

#include "tests/support/session_parties.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

Status ReadKernelsAndMarkers(Config* out) {
  *out = {};
  snprintf(out->events, sizeof out->events, "kernels,markers");
  return Status::Ok();
}

class PartiesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(plan_.Make());
    parties_.UseTools(&tools_);
  }
  void Write(RecordType type) {
    KernelRecord record;
    record.head.type = type;
    EXPECT_TRUE(parties_.sinks()->Write(&record, sizeof record, "k", 1));
  }

  TraceCounters counters_;
  TracePcSamples samples_;
  EventPlan plan_{ReadKernelsAndMarkers, &counters_, &samples_};
  MemoryOutput output_;
  FakeTools tools_;
  Parties parties_{&output_, &plan_};
};

TEST_F(PartiesTest, APartyGetsRecordsFromWhenItJoins) {
  parties_.sinks()->CountSubmitted(EventKind::kKernel, 1);
  parties_.Join(Party::kTrace);
  parties_.sinks()->CountSubmitted(EventKind::kKernel, 1);
  parties_.sinks()->CountLoss(EventKind::kKernel, Loss::kShutdown, 1);
  EXPECT_EQ(output_.records.submitted(), 1u);
  EXPECT_EQ(tools_.records.loss(Loss::kShutdown, EventKind::kKernel), 0u);
  parties_.Join(Party::kTools);
  parties_.sinks()->CountLoss(EventKind::kKernel, Loss::kShutdown, 1);
  EXPECT_EQ(tools_.records.loss(Loss::kShutdown, EventKind::kKernel), 1u);
  EXPECT_EQ(output_.records.loss(Loss::kShutdown, EventKind::kKernel), 2u);
}

TEST_F(PartiesTest, TheTraceHasEventsWhileItIsIn) {
  EXPECT_FALSE(parties_.TraceHas(EventKind::kKernel));
  parties_.Join(Party::kTrace);
  EXPECT_TRUE(parties_.TraceHas(EventKind::kKernel));
  EXPECT_FALSE(parties_.TraceHas(EventKind::kCopy));
  parties_.Leave(Party::kTrace);
  EXPECT_FALSE(parties_.TraceHas(EventKind::kKernel));
}

TEST_F(PartiesTest, EachPartyLearnsTheAgentsOnce) {
  support::TracedHsa traced;
  ASSERT_TRUE(traced.Install().ok());
  parties_.Join(Party::kTools);
  const size_t all = 1 + support::FakeHsa::kGpus;
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(parties_.TellAgents(traced.capture).ok());
  EXPECT_EQ(tools_.records.agents().size(), all);
  EXPECT_EQ(output_.records.agents().size(), 0u);
  parties_.Join(Party::kTrace);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(parties_.TellAgents(traced.capture).ok());
  parties_.LeaveAll();
  EXPECT_FALSE(parties_.In(Party::kTrace) || parties_.In(Party::kTools));
  parties_.Join(Party::kTrace);
  ASSERT_TRUE(parties_.TellAgents(traced.capture).ok());
  EXPECT_EQ(tools_.records.agents().size(), all);
  EXPECT_EQ(output_.records.agents().size(), all);
}

TEST_F(PartiesTest, AProcessWithoutRoomWritesNoAgents) {
  support::TracedHsa traced;
  ASSERT_TRUE(traced.Install().ok());
  output_.counts_only = true;
  parties_.Join(Party::kTrace);
  EXPECT_TRUE(parties_.TellAgents(traced.capture).ok());
  EXPECT_EQ(output_.records.agents().size(), 0u);
}

TEST_F(PartiesTest, OtherRuntimesAreUnloadedBeforeTheHookedOne) {
  parties_.MeetOther(Party::kTools);
  parties_.MeetOther(Party::kTools);
  EXPECT_EQ(parties_.others(Party::kTools), 2u);
  EXPECT_FALSE(parties_.ForgetOther(Party::kTrace));
  EXPECT_TRUE(parties_.ForgetOther(Party::kTools));
  EXPECT_TRUE(parties_.ForgetOther(Party::kTools));
  EXPECT_FALSE(parties_.ForgetOther(Party::kTools));
}

}  // namespace
}  // namespace rtl::capture
