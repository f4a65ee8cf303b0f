// SPDX-License-Identifier: MIT
#include "capture/session/hooked_runtime.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/support/fake_hsa.h"
#include "tests/support/session_parties.h"

namespace rtl::capture {
namespace {

using rtl::support::FakeHsa;

Config config_of_test;

// A hooked runtime with its services, as a session has them.
class HookedRuntimeTest : public ::testing::Test {
 protected:
  void SetUp() override { config_of_test = {}; }
  void TearDown() override {
    runtime_.Unhook();
    EXPECT_EQ(hsa_.bad_uses(), 0u);
  }
  void Plan() {
    ASSERT_TRUE(plan_.Make());
    ASSERT_TRUE(life_.Advance(Lifecycle::State::kNew, Lifecycle::State::kOpen));
    parties_.UseTools(&tools_);
  }
  bool Join(Party party) {
    return runtime_.Join(party, hsa_.root_table(), LoadedBy::kToolsLib, false);
  }
  static std::vector<void*> Slots(const FakeHsa& hsa) {
    std::vector<void*> slots;
    for (size_t i = 0; i < kHsaSlotCount; ++i) slots.push_back(hsa.Slot(static_cast<HsaSlot>(i)));
    return slots;
  }

  FakeHsa hsa_;
  MemoryOutput output_;
  FakeTools tools_;
  Lifecycle life_;
  Engine engine_;
  SourceList sources_;
  Counting counting_{&output_, &parties_, &engine_};
  EventPlan plan_{[](Config* out) {
                    *out = config_of_test;
                    return Status::Ok();
                  },
                  counting_.counters(), counting_.samples()};
  Parties parties_{&output_, &plan_};
  UserWarnings warnings_{&life_, &plan_, &output_};
  HookedRuntime runtime_{{.output = &output_,
                          .plan = &plan_,
                          .parties = &parties_,
                          .sources = &sources_,
                          .warnings = &warnings_,
                          .counting = &counting_,
                          .engine = &engine_,
                          .on_use = nullptr,
                          .on_last_shut_down = nullptr,
                          .data = nullptr}};
};

TEST_F(HookedRuntimeTest, RestoresTheTablesAndMayBeHookedAgain) {
  Plan();
  const std::vector<void*> before = Slots(hsa_);
  for (int life = 0; life < 2; ++life) {
    ASSERT_TRUE(Join(Party::kTrace));
    EXPECT_TRUE(runtime_.Is(hsa_.root_table()));
    EXPECT_NE(Slots(hsa_), before);
    const std::vector<void*> hooked = Slots(hsa_);
    ASSERT_TRUE(Join(Party::kTrace)) << "already";
    EXPECT_EQ(Slots(hsa_), hooked);
    runtime_.Unhook();
    EXPECT_EQ(Slots(hsa_), before);
    EXPECT_FALSE(runtime_.hooked() || parties_.In(Party::kTrace));
  }
}

TEST_F(HookedRuntimeTest, TellsTheToolsWhichRuntimeIsReady) {
  Plan();
  ASSERT_TRUE(Join(Party::kTools));
  EXPECT_EQ(tools_.ready, hsa_.root_table());
  EXPECT_FALSE(parties_.In(Party::kTrace));
}

TEST_F(HookedRuntimeTest, HooksOneRuntimeOnly) {
  Plan();
  ASSERT_TRUE(Join(Party::kTrace));
  uint64_t other_table[32] = {};
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(runtime_.Join(Party::kTools, other_table, LoadedBy::kToolsLib, false));
  EXPECT_NE(::testing::internal::GetCapturedStderr().find(kSecondRuntimeWarning),
            std::string::npos);
  EXPECT_TRUE(runtime_.IsAnother(other_table));
  EXPECT_EQ(parties_.others(Party::kTools), 1u);
}

TEST_F(HookedRuntimeTest, RestoresEveryPointerOfARuntimeThatItRefuses) {
  config_of_test.mode = Mode::kFull;
  config_of_test.queue_method = QueueMethod::kIntercept;
  Plan();
  FakeHsa fragile(support::kRocm72);
  const std::vector<void*> before = Slots(fragile);
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(runtime_.Join(Party::kTrace, fragile.root_table(), LoadedBy::kToolsLib, false));
  EXPECT_EQ(::testing::internal::GetCapturedStderr().find(
                "rtl: GPU kernels are not traced in process " + std::to_string(getpid()) + ": "),
            0u);
  EXPECT_EQ(Slots(fragile), before);
  EXPECT_FALSE(runtime_.hooked() || parties_.In(Party::kTrace));
  EXPECT_NE(output_.refusal, "");
}

TEST_F(HookedRuntimeTest, ReportsCallsToToolsThatNeedNothingElse) {
  Plan();
  const std::vector<void*> before = Slots(hsa_);
  runtime_.ReportCalls(hsa_.root_table());
  EXPECT_TRUE(runtime_.reports_calls());
  EXPECT_FALSE(runtime_.hooked());
  EXPECT_EQ(hsa_.DestroySignal(hsa_.CreateSignal(1)), HSA_STATUS_SUCCESS);
  EXPECT_EQ(tools_.calls.ended.size(), 1u);
  runtime_.Unhook();
  EXPECT_FALSE(runtime_.reports_calls());
  EXPECT_EQ(Slots(hsa_), before);
}

TEST_F(HookedRuntimeTest, DescribesHowItWasLoadedAndInWhichMode) {
  Plan();
  ASSERT_TRUE(runtime_.Join(Party::kTrace, hsa_.root_table(), LoadedBy::kMemory, false));
  runtime_.Describe();
  EXPECT_EQ(output_.loaded_by, "tables in its memory");
  EXPECT_EQ(output_.mode, "full");
  EXPECT_NE(output_.runtime.find("tables 3.0"), std::string::npos) << output_.runtime;
  EXPECT_TRUE(runtime_.EndsAtShutDown());
}

}  // namespace
}  // namespace rtl::capture
