// SPDX-License-Identifier: MIT
// A trace and tools in one process: they share one engine, and each gets every packet once.
#include "tests/support/session_parties.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "capture/roctx/pause.h"
#include "capture/session/session.h"
#include "tests/support/fake_hsa.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using rtl::support::FakeHsa;
using rtl::support::MemorySink;
using rtl::support::WaitUntil;

Config parties_config;

class SessionPartiesTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    parties_config = {};
    session_.UseTools(&tools_);
  }
  void TearDown() override {
    session_.OnUnload();
    session_.OnToolUnload();
    session_.Finish();
    EXPECT_FALSE(tools_.calls.watching);
    EXPECT_EQ(hsa_.bad_uses(), 0u);
  }
  bool trace_first() const { return GetParam(); }
  bool LoadTrace() { return session_.OnLoad(hsa_.root_table()); }
  bool LoadTools() { return session_.OnToolLoad(hsa_.root_table(), Session::LoadedBy::kToolsLib); }
  void LoadBoth() {
    ASSERT_TRUE(trace_first() ? LoadTrace() : LoadTools());
    ASSERT_TRUE(trace_first() ? LoadTools() : LoadTrace());
  }
  // The tools subscribe to HSA calls only.
  void LoadTraceAndCalls() {
    if (!trace_first()) session_.OpenToolHsa(hsa_.root_table());
    ASSERT_TRUE(LoadTrace());
    if (trace_first()) session_.OpenToolHsa(hsa_.root_table());
  }
  // Makes one call of hsa_signal_create, which the trace and the tool get with the same times.
  void ExpectOneCallForBoth() {
    const size_t before = tools_.calls.ended.size();
    const size_t recorded = SignalsMade().size();
    const hsa_signal_t made = hsa_.CreateSignal(1);
    ASSERT_EQ(tools_.calls.begun, before + 1);
    ASSERT_EQ(tools_.calls.ended.size(), before + 1);
    const std::vector<EventRecord> records = SignalsMade();
    ASSERT_EQ(records.size(), recorded + 1);
    const HsaCall& call = tools_.calls.ended.back();
    EXPECT_TRUE(call.timed);
    EXPECT_EQ(records.back().start, call.start);
    EXPECT_EQ(records.back().end, call.end);
    EXPECT_EQ(hsa_.DestroySignal(made), HSA_STATUS_SUCCESS);
  }
  std::vector<EventRecord> SignalsMade() const {
    std::vector<EventRecord> made;
    for (const MemorySink::Event& event : trace_.records.events()) {
      if (event.record.kind == EventKind::kHsaCall &&
          event.record.operation == kIndexOf_hsa_signal_create)
        made.push_back(event.record);
    }
    return made;
  }
  // Runs a kernel on a queue of its own, until the runtime has finished with the queue.
  void RunAKernel() {
    hsa_queue_t* const queue = hsa_.CreateQueue();
    hsa_.Submit(queue, FakeHsa::Kernel(0x1000));
    EXPECT_EQ(hsa_.Complete(queue, 1), 1u);
    EXPECT_EQ(hsa_.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  }
  std::vector<void*> Slots() const {
    std::vector<void*> slots;
    for (size_t i = 0; i < kHsaSlotCount; ++i) slots.push_back(hsa_.Slot(static_cast<HsaSlot>(i)));
    return slots;
  }

  FakeHsa hsa_;
  MemoryOutput trace_;
  FakeTools tools_;
  Session session_{&trace_, [](Config* out) {
                     *out = parties_config;
                     return Status::Ok();
                   }};
};

TEST_P(SessionPartiesTest, ReportsAKernelOnceToBothInAnyOrder) {
  const std::vector<void*> before = Slots();
  LoadBoth();
  const std::vector<void*> hooked = Slots();
  EXPECT_TRUE(LoadTrace() && LoadTools());
  EXPECT_EQ(Slots(), hooked) << "one interception";
  EXPECT_EQ(trace_.records.agents().size(), 1 + FakeHsa::kGpus);
  EXPECT_EQ(tools_.records.agents().size(), 1 + FakeHsa::kGpus);
  for (int i = 0; i < 20; ++i) RunAKernel();
  ASSERT_TRUE(WaitUntil([&] { return tools_.ended() == 20; }));
  EXPECT_EQ(tools_.submitted(), 20u);
  const auto dispatches = trace_.records.dispatches();
  ASSERT_EQ(dispatches.size(), 20u);
  EXPECT_EQ(tools_.records.dispatches().size(), 0u) << "the tools' watcher gets them";
  const DispatchRecord told = tools_.first();
  EXPECT_EQ(std::count_if(dispatches.begin(), dispatches.end(),
                          [&](const DispatchRecord& record) {
                            return record.start == told.start && record.end == told.end;
                          }),
            1);
  session_.OnUnload();
  session_.OnToolUnload();
  EXPECT_EQ(Slots(), before);
  EXPECT_EQ(tools_.runtimes_gone, 1);
}

TEST_P(SessionPartiesTest, HooksTheRuntimeAgainForBoth) {
  for (int life = 1; life <= 3; ++life) {
    LoadBoth();
    RunAKernel();
    ASSERT_TRUE(WaitUntil([&] { return tools_.ended() == static_cast<size_t>(life); }));
    session_.OnToolUnload();
    session_.OnUnload();
    EXPECT_EQ(trace_.records.dispatch_count(), static_cast<size_t>(life));
  }
  EXPECT_EQ(tools_.records.agents().size(), 1 + FakeHsa::kGpus) << "listed once";
}

TEST_P(SessionPartiesTest, ContinuesTheTraceAfterTheToolsHaveStopped) {
  LoadBoth();
  RunAKernel();
  hsa_queue_t* const queue = hsa_.CreateQueue();
  hsa_.Submit(queue, FakeHsa::Kernel(0x1000));
  parties_config.exit_budget_ns = 0;
  session_.StopTools([](void* self) { return static_cast<FakeTools*>(self)->ended() < 1; },
                     &tools_);
  EXPECT_EQ(tools_.ended(), 1u);
  EXPECT_EQ(hsa_.Complete(queue, 1), 1u);
  ASSERT_TRUE(WaitUntil([&] { return trace_.records.dispatch_count() == 2; }));
  EXPECT_EQ(trace_.records.loss(Loss::kShutdown, EventKind::kKernel), 0u);
}

TEST_P(SessionPartiesTest, AddsToolsAfterTheFirstQueueAndRejectsATraceThen) {
  ASSERT_TRUE(trace_first() ? LoadTrace() : LoadTools());
  hsa_queue_t* const queue = hsa_.CreateQueue();
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(trace_first() ? LoadTools() : LoadTrace(), trace_first());
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(said.empty() || !trace_first()) << said;
  EXPECT_EQ(trace_.refusal, trace_first() ? "" : "the program has queues already");
  hsa_.Submit(queue, FakeHsa::Kernel(0x1000));
  EXPECT_EQ(hsa_.Complete(queue, 1), 1u);
  EXPECT_TRUE(WaitUntil([&] { return tools_.ended() == 1; }));
  if (trace_first()) {
    EXPECT_TRUE(WaitUntil([&] { return trace_.records.dispatch_count() == 1; }));
  }
}

TEST_P(SessionPartiesTest, ReportsToToolsWhenTheTraceIsFull) {
  LoadBoth();
  trace_.records.SetFull(true);
  RunAKernel();
  ASSERT_TRUE(WaitUntil([&] { return tools_.ended() == 1; }));
  EXPECT_EQ(trace_.records.loss(Loss::kSpoolFull, EventKind::kKernel), 1u);
  EXPECT_EQ(tools_.records.loss(Loss::kSpoolFull, EventKind::kKernel), 0u);
  EXPECT_EQ(tools_.lost, 0);
}

TEST_P(SessionPartiesTest, ReportsToToolsWhileTheTraceIsPaused) {
  parties_config.paused = true;
  LoadBoth();
  RunAKernel();
  ASSERT_TRUE(WaitUntil([&] { return tools_.ended() == 1; }));
  EXPECT_TRUE(WaitUntil([&] { return trace_.records.loss(Loss::kPaused) == 1; }));
  EXPECT_EQ(trace_.records.dispatch_count(), 0u);
  EXPECT_EQ(tools_.records.loss(Loss::kPaused), 0u);
  Pause::TEST_Reset();
}

TEST_P(SessionPartiesTest, RecordsNoKernelsInATraceWithoutThemDespiteTools) {
  snprintf(parties_config.events, sizeof parties_config.events, "markers");
  LoadBoth();
  RunAKernel();
  ASSERT_TRUE(WaitUntil([&] { return tools_.ended() == 1; }));
  EXPECT_EQ(trace_.records.dispatch_count(), 0u);
}

// This runtime has no PC sampling.
TEST_P(SessionPartiesTest, SamplesForATraceBesideToolsInAnyOrder) {
  setenv("RTL_PC_SAMPLING", "100us", 1);
  LoadBoth();
  unsetenv("RTL_PC_SAMPLING");
  EXPECT_EQ(trace_.mode_reason, "with PC sampling packets are seen at the doorbell");
  ASSERT_EQ(trace_.records.warnings().size(), 1u);
  EXPECT_NE(trace_.records.warnings()[0].find("this runtime has no PC sampling"),
            std::string::npos);
}

TEST_P(SessionPartiesTest, InterceptsACallOnceForBoth) {
  snprintf(parties_config.events, sizeof parties_config.events, "hsa");
  const std::vector<void*> before = Slots();
  LoadBoth();
  const std::vector<void*> hooked = Slots();
  EXPECT_TRUE(LoadTrace() && LoadTools());
  EXPECT_EQ(Slots(), hooked);
  ExpectOneCallForBoth();
  ExpectOneCallForBoth();
  trace_first() ? session_.OnUnload() : session_.OnToolUnload();
  EXPECT_EQ(Slots(), before);
}

TEST_P(SessionPartiesTest, InterceptsACallOnceForToolsWithoutTheEngine) {
  snprintf(parties_config.events, sizeof parties_config.events, "hsa");
  const std::vector<void*> before = Slots();
  for (int life = 1; life <= 2; ++life) {
    LoadTraceAndCalls();
    ExpectOneCallForBoth();
    trace_first() ? session_.OnUnload() : session_.OnToolUnload();
    EXPECT_EQ(Slots(), before);
    EXPECT_FALSE(tools_.calls.watching);
  }
}

TEST_P(SessionPartiesTest, ReportsCallsWithoutATrace) {
  const std::vector<void*> before = Slots();
  trace_first() ? session_.OpenToolHsa(hsa_.root_table()) : static_cast<void>(LoadTools());
  const hsa_signal_t made = hsa_.CreateSignal(1);
  ASSERT_EQ(tools_.calls.ended.size(), 1u);
  EXPECT_FALSE(tools_.calls.ended[0].timed);
  EXPECT_EQ(hsa_.DestroySignal(made), HSA_STATUS_SUCCESS);
  session_.OnToolUnload();
  EXPECT_EQ(Slots(), before);
}

TEST_P(SessionPartiesTest, ContinuesFakeToolsAfterTheTraceHasStopped) {
  snprintf(parties_config.events, sizeof parties_config.events, "hsa");
  LoadTraceAndCalls();
  session_.Finish();
  session_.OpenToolHsa(hsa_.root_table());  // does not start the trace again
  const hsa_signal_t made = hsa_.CreateSignal(1);
  ASSERT_EQ(tools_.calls.ended.size(), 1u);
  EXPECT_FALSE(tools_.calls.ended[0].timed);
  EXPECT_TRUE(SignalsMade().empty());
  EXPECT_EQ(hsa_.DestroySignal(made), HSA_STATUS_SUCCESS);
}

//   program ─► the hooks for queues ─► the tool's function ─► our function ─► the runtime
decltype(&hsa_queue_create) queue_create_below;
int queues_of_tool;
hsa_status_t CreateQueueOfTool(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                               void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data,
                               uint32_t private_bytes, uint32_t group_bytes, hsa_queue_t** queue) {
  ++queues_of_tool;
  return queue_create_below(agent, size, type, callback, data, private_bytes, group_bytes, queue);
}

TEST_P(SessionPartiesTest, LeavesItsWrapperBelowTheOneOfATool) {
  snprintf(parties_config.events, sizeof parties_config.events, "hsa");
  tools_.calls.function = kIndexOf_hsa_queue_create;
  trace_first() ? session_.OpenToolHsa(hsa_.root_table()) : static_cast<void>(LoadTools());
  void** const slot = HsaSlots(hsa_.root_table()).Of(kIndexOf_hsa_queue_create);
  memcpy(&queue_create_below, slot, sizeof *slot);
  queues_of_tool = 0;
  *slot = reinterpret_cast<void*>(CreateQueueOfTool);
  ASSERT_TRUE(LoadTrace());
  hsa_queue_t* const queue = hsa_.CreateQueue();
  EXPECT_EQ(queues_of_tool, 1);
  EXPECT_EQ(tools_.calls.ended.size(), 1u);
  size_t recorded = 0;
  for (const MemorySink::Event& event : trace_.records.events())
    recorded += event.record.operation == kIndexOf_hsa_queue_create;
  EXPECT_EQ(recorded, 1u);
  EXPECT_EQ(hsa_.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  session_.OnUnload();
  EXPECT_EQ(*slot, reinterpret_cast<void*>(CreateQueueOfTool));
}

TEST_P(SessionPartiesTest, ReportsNoCallsOfASecondRuntime) {
  snprintf(parties_config.events, sizeof parties_config.events, "hsa");
  LoadTraceAndCalls();
  uint64_t other_table[32] = {};
  ::testing::internal::CaptureStderr();
  session_.OpenToolHsa(other_table);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("HSA calls of a second HSA runtime"),
            std::string::npos);
  session_.OnToolUnload();  // of the second runtime
  ExpectOneCallForBoth();
}

INSTANTIATE_TEST_SUITE_P(Orders, SessionPartiesTest, ::testing::Bool(), [](const auto& order) {
  return order.param ? "TraceFirst" : "ToolsFirst";
});

}  // namespace
}  // namespace rtl::capture
