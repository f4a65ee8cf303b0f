// SPDX-License-Identifier: MIT
#include "capture/session/counting.h"

#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/session_parties.h"

namespace rtl::capture {
namespace {

// A tool that counts.
class CountingTool final : public CounterUser {
 public:
  const CounterSet* Choose(const DispatchRecord&, const QueueIdentity&, const counters::GpuFacts*,
                           uint64_t*) override {
    return nullptr;
  }
  void Counted(uint64_t, const DispatchRecord&, const QueueIdentity&, const CounterValue*,
               uint32_t) override {}
  void NotCounted(uint64_t, Loss) override {}
};

char counters_of_test[64];

class CountingTest : public ::testing::Test {
 protected:
  // `counters`, `interval`: what the user asks the trace for.
  void Plan(const char* counters, const char* interval) {
    snprintf(counters_of_test, sizeof counters_of_test, "%s", counters);
    if (interval != nullptr) setenv("RTL_PC_SAMPLING", interval, 1);
    ASSERT_TRUE(plan_.Make());
    unsetenv("RTL_PC_SAMPLING");
    parties_.UseTools(&tools_);
  }

  MemoryOutput output_;
  FakeTools tools_;
  CountingTool tool_;
  Engine engine_;
  Counting counting_{&output_, &parties_, &engine_};
  EventPlan plan_{[](Config* out) {
                    *out = {};
                    snprintf(out->counters, sizeof out->counters, "%s", counters_of_test);
                    return Status::Ok();
                  },
                  counting_.counters(), counting_.samples()};
  Parties parties_{&output_, &plan_};
};

TEST_F(CountingTest, HasNoUserUnlessAPartyThatJoinedWantsCounters) {
  Plan("SQ_WAVES", nullptr);
  tools_.counter_user = &tool_;
  EXPECT_EQ(counting_.User(), nullptr);
  parties_.Join(Party::kTools);
  EXPECT_EQ(counting_.User(), &tool_);
  parties_.Join(Party::kTrace);
  CounterUser* const both = counting_.User();
  EXPECT_TRUE(both != nullptr && both != &tool_ && both != counting_.counters());
  parties_.Leave(Party::kTools);
  EXPECT_EQ(counting_.User(), counting_.counters());
}

TEST_F(CountingTest, ATraceWithoutCountersIsNoUser) {
  Plan("", nullptr);
  parties_.Join(Party::kTrace);
  EXPECT_EQ(counting_.User(), nullptr);
  EXPECT_FALSE(counting_.WantsSamples());
  counting_.EndSamples();  // none were begun
}

TEST_F(CountingTest, EitherPartyMayWantSamples) {
  Plan("", "100us");
  EXPECT_FALSE(counting_.WantsSamples());
  parties_.Join(Party::kTools);
  EXPECT_FALSE(counting_.WantsSamples());
  tools_.wants_samples = true;
  EXPECT_TRUE(counting_.WantsSamples());
  tools_.wants_samples = false;
  parties_.Join(Party::kTrace);
  EXPECT_TRUE(counting_.WantsSamples());
}

}  // namespace
}  // namespace rtl::capture
