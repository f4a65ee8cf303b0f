// SPDX-License-Identifier: MIT
// A trace and tools in one process: they share one engine, and each gets every packet once.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "capture/session/session.h"
#include "tests/support/fake_hsa.h"
#include "tests/support/memory_sink.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using rtl::support::FakeHsa;
using rtl::support::MemorySink;
using rtl::support::WaitUntil;

Config parties_config;

class TraceOfParties final : public TraceOutput {
 public:
  Status Open(const Config&) override { return Status::Ok(); }
  RecordSink* sink() override { return &records; }
  SeenSlots seen_slots() override { return {}; }
  CaptureCounters counters() override { return {}; }
  void Describe(const Facts&) override {}
  void SayRefused(const Config&, const char* why) override { refusal = why; }
  void Maintain() override {}
  void Finish() override {}

  MemorySink records;
  std::string refusal;
};

class ToolsOfParties final : public ToolSide, public SubmissionWatcher, public CodeObjectWatcher {
 public:
  RecordSink* sink() override { return &records; }
  CodeObjectWatcher* code_objects() override { return this; }
  SubmissionWatcher* submissions() override { return this; }
  CounterUser* counters() override { return nullptr; }
  bool WantsSamples() override { return false; }
  void RuntimeReady(const HsaApi&, void*, PcSampler*) override {}
  void RuntimeGone() override {}
  HipCallListener* hip_calls() const override { return nullptr; }
  RcclListener* rccl_calls() const override { return nullptr; }
  void PutWrappers(void*) override { ++wrappers; }
  void LiftWrappers() override { --wrappers; }

  uint32_t KernelSubmitted(const DispatchRecord&, const QueueIdentity&) override {
    std::lock_guard lock(mutex_);
    return ++submitted_;
  }
  void KernelEnded(uint32_t ticket, const DispatchRecord& kernel, const QueueIdentity&) override {
    std::lock_guard lock(mutex_);
    EXPECT_TRUE(ended_.emplace(ticket, kernel).second) << "told twice";
  }
  uint32_t CopySubmitted(const CopyRecord&) override { return 0; }
  void CopyEnded(uint32_t, const CopyRecord&) override {}
  void Lost(uint32_t) override { ++lost; }
  void PacketsReserved(uint64_t, uint64_t) override {}
  void PacketShown(uint64_t) override {}
  void Loaded(const HsaApi&, hsa_executable_t, uint64_t) override {}
  void Unloading(hsa_executable_t) override {}
  void AllGone() override { ++runtimes_gone; }

  size_t submitted() const {
    std::lock_guard lock(mutex_);
    return submitted_;
  }
  size_t ended() const {
    std::lock_guard lock(mutex_);
    return ended_.size();
  }
  DispatchRecord first() const {
    std::lock_guard lock(mutex_);
    return ended_.at(1);
  }

  MemorySink records;
  int wrappers = 0, runtimes_gone = 0;
  std::atomic<int> lost{0};

 private:
  mutable std::mutex mutex_;
  uint32_t submitted_ = 0;
  std::map<uint32_t, DispatchRecord> ended_;
};

class PartiesTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    parties_config = {};
    session_.UseTools(&tools_);
  }
  void TearDown() override {
    session_.OnUnload();
    session_.OnToolUnload();
    session_.Finish();
    EXPECT_EQ(tools_.wrappers, 0);
    EXPECT_EQ(hsa_.bad_uses(), 0u);
  }
  bool trace_first() const { return GetParam(); }
  bool LoadTrace() { return session_.OnLoad(hsa_.root_table()); }
  bool LoadTools() { return session_.OnToolLoad(hsa_.root_table(), Session::Door::kToolsLib); }
  void LoadBoth() {
    ASSERT_TRUE(trace_first() ? LoadTrace() : LoadTools());
    ASSERT_TRUE(trace_first() ? LoadTools() : LoadTrace());
  }
  // Runs on a queue of its own, until the runtime has finished with it.
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
  TraceOfParties trace_;
  ToolsOfParties tools_;
  Session session_{&trace_, [](Config* out) {
                     *out = parties_config;
                     return Status::Ok();
                   }};
};

TEST_P(PartiesTest, ReportsAKernelOnceToBothInAnyOrder) {
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

TEST_P(PartiesTest, HooksTheRuntimeAgainForBoth) {
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

TEST_P(PartiesTest, ContinuesTheTraceAfterTheToolsHaveStopped) {
  LoadBoth();
  RunAKernel();
  hsa_queue_t* const queue = hsa_.CreateQueue();
  hsa_.Submit(queue, FakeHsa::Kernel(0x1000));
  parties_config.exit_budget_ns = 0;
  session_.StopTools([](void* self) { return static_cast<ToolsOfParties*>(self)->ended() < 1; },
                     &tools_);
  EXPECT_EQ(tools_.ended(), 1u);
  EXPECT_EQ(hsa_.Complete(queue, 1), 1u);
  ASSERT_TRUE(WaitUntil([&] { return trace_.records.dispatch_count() == 2; }));
  EXPECT_EQ(trace_.records.loss(Loss::kShutdown, EventKind::kKernel), 0u);
}

TEST_P(PartiesTest, RejectsAPartyAfterTheFirstQueueAndContinuesTheOther) {
  ASSERT_TRUE(trace_first() ? LoadTrace() : LoadTools());
  hsa_queue_t* const queue = hsa_.CreateQueue();
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(trace_first() ? LoadTools() : LoadTrace());
  const std::string said = ::testing::internal::GetCapturedStderr();
  if (trace_first())
    EXPECT_NE(said.find("for tools: the program has queues already"), std::string::npos) << said;
  else
    EXPECT_EQ(trace_.refusal, "the program has queues already");
  hsa_.Submit(queue, FakeHsa::Kernel(0x1000));
  EXPECT_EQ(hsa_.Complete(queue, 1), 1u);
  if (trace_first())
    EXPECT_TRUE(WaitUntil([&] { return trace_.records.dispatch_count() == 1; }));
  else
    EXPECT_TRUE(WaitUntil([&] { return tools_.ended() == 1; }));
}

TEST_P(PartiesTest, ReportsToToolsWhenTheTraceIsFull) {
  LoadBoth();
  trace_.records.SetFull(true);
  RunAKernel();
  ASSERT_TRUE(WaitUntil([&] { return tools_.ended() == 1; }));
  EXPECT_EQ(trace_.records.loss(Loss::kSpoolFull, EventKind::kKernel), 1u);
  EXPECT_EQ(tools_.records.loss(Loss::kSpoolFull, EventKind::kKernel), 0u);
  EXPECT_EQ(tools_.lost, 0);
}

TEST_P(PartiesTest, RecordsNoKernelsInATraceWithoutThemDespiteTools) {
  snprintf(parties_config.events, sizeof parties_config.events, "markers");
  LoadBoth();
  RunAKernel();
  ASSERT_TRUE(WaitUntil([&] { return tools_.ended() == 1; }));
  EXPECT_EQ(trace_.records.dispatch_count(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Orders, PartiesTest, ::testing::Bool(), [](const auto& order) {
  return order.param ? "TraceFirst" : "ToolsFirst";
});

}  // namespace
}  // namespace rtl::capture
