// SPDX-License-Identifier: MIT
// Asynchronous copies on a fake runtime.
#include "capture/hsa/async_copies.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/clock.h"
#include "capture/hip/open_call.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using testing::FakeHsa;
using testing::TracedHsa;

constexpr EventKind kCopy = EventKind::kCopy;

class AsyncCopiesTest : public ::testing::Test {
 protected:
  void Start(const testing::TableLayout& layout = testing::kRocm61) {
    t_ = std::make_unique<TracedHsa>(layout);
    ASSERT_TRUE(t_->Install().ok());
  }
  void Finish() {
    t_->capture.Stop();
    EXPECT_TRUE(t_->Conserved());
    EXPECT_EQ(t_->hsa.bad_uses(), 0u);
  }
  hsa_status_t ToGpu(hsa_signal_t signal, size_t bytes = 4096) {
    return t_->hsa.Copy(t_->hsa.Agent(1), t_->hsa.CpuAgent(), bytes, signal);
  }

  std::unique_ptr<TracedHsa> t_;
};

TEST_F(AsyncCopiesTest, RecordsWhatTheCallSaysAndWhatTheRuntimeTells) {
  Start();
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  const uint64_t before = BootTimeNs();
  ASSERT_EQ(ToGpu(signal, 12'345), HSA_STATUS_SUCCESS);
  const uint64_t after = BootTimeNs();
  EXPECT_EQ(FakeHsa::Value(signal), 1);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(1));
  EXPECT_EQ(FakeHsa::Value(signal), 0) << "taken off once, by the GPU";
  const CopyRecord record = t_->sink.copies()[0];
  EXPECT_EQ(record.copy, 1u);
  EXPECT_EQ(record.bytes, 12'345u);
  EXPECT_EQ(record.dst, 0xd000u);
  EXPECT_EQ(record.src, 0x5000u);
  EXPECT_EQ(record.dst_agent, t_->capture.AgentNumber(t_->hsa.Agent(1)));
  EXPECT_EQ(record.src_agent, t_->capture.AgentNumber(t_->hsa.CpuAgent()));
  EXPECT_EQ(record.kind, CopyKind::kHostToDevice);
  EXPECT_GE(record.submitted, before);
  EXPECT_LE(record.submitted, after);
  EXPECT_GE(record.start, record.submitted);
  EXPECT_EQ(record.end, record.start + FakeHsa::kCopyNs);
  EXPECT_EQ(record.head.thread, static_cast<uint32_t>(gettid()));
  Finish();
  EXPECT_EQ(t_->sink.recorded(kCopy), 1u);
}

TEST_F(AsyncCopiesTest, KnowsTheCallThatIsOpenOnItsThread) {
  Start();
  ThreadCalls* const calls = OpenCall::MakeCalls();
  calls->correlation = 42;
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  calls->correlation = 0;
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(2));
  uint64_t sum = 0;
  for (const CopyRecord& record : t_->sink.copies()) sum += record.correlation;
  EXPECT_EQ(sum, 42u);
  Finish();
}

TEST_F(AsyncCopiesTest, TellsTheDirectionFromTheAgents) {
  Start();
  const hsa_agent_t cpu = t_->hsa.CpuAgent();
  const hsa_agent_t gpu = t_->hsa.Agent(0);
  const std::vector<std::pair<hsa_agent_t, hsa_agent_t>> pairs = {
      {gpu, cpu}, {cpu, gpu}, {gpu, gpu}};
  size_t count = 0;
  for (const auto& [dst, src] : pairs) {
    ASSERT_EQ(t_->hsa.Copy(dst, src, 1, t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
    t_->hsa.CompleteCopies();
    ASSERT_TRUE(t_->WaitForCopies(++count));
  }
  const auto copies = t_->sink.copies();
  EXPECT_EQ(copies[0].kind, CopyKind::kHostToDevice);
  EXPECT_EQ(copies[1].kind, CopyKind::kDeviceToHost);
  EXPECT_EQ(copies[2].kind, CopyKind::kDeviceToDevice);
  Finish();
}

TEST_F(AsyncCopiesTest, ASignalThatIsSetAgainAtOnceStillTells) {
  Start();
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
    ASSERT_EQ(t_->hsa.CompleteCopies(), 1u);
    t_->hsa.Store(signal, 1);
  }
  EXPECT_TRUE(t_->WaitForCopies(500));
  Finish();
  for (size_t why = 0; why < kLossCount; ++why) {
    EXPECT_EQ(t_->sink.loss(static_cast<Loss>(why), kCopy), 0u) << LossName(static_cast<Loss>(why));
  }
  std::set<uint64_t> starts;
  for (const CopyRecord& record : t_->sink.copies()) {
    starts.insert(record.start);
  }
  EXPECT_EQ(starts.size(), 500u) << "each has its own times";
}

TEST_F(AsyncCopiesTest, ASignalThatIsDestroyedAfterTheEndIsReadFirst) {
  Start();
  for (int i = 0; i < 200; ++i) {
    const hsa_signal_t signal = t_->hsa.CreateSignal(1);
    ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
    t_->hsa.CompleteCopies();
    ASSERT_EQ(t_->hsa.DestroySignal(signal), HSA_STATUS_SUCCESS);
  }
  Finish();
  EXPECT_EQ(t_->sink.recorded(kCopy), 200u);
}

TEST_F(AsyncCopiesTest, ASignalThatIsDestroyedBeforeTheEndIsALoss) {
  Start();
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
  ASSERT_EQ(t_->hsa.DestroySignal(signal), HSA_STATUS_SUCCESS);
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kSignalReused, kCopy), 1u);
}

TEST_F(AsyncCopiesTest, SeveralCopiesOnOneSignalCannotBeToldApart) {
  Start();
  const hsa_signal_t signal = t_->hsa.CreateSignal(2);
  ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
  ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  EXPECT_EQ(FakeHsa::Value(signal), 0);
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kSharedSignal, kCopy), 2u);
}

TEST_F(AsyncCopiesTest, ACallThatFailsIsNoEvent) {
  Start();
  t_->hsa.FailAll(HsaSlot::amd_memory_async_copy, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  for (uint32_t i = 0; i < 2 * AsyncCopies::kCapacity; ++i) {
    ASSERT_EQ(ToGpu(signal), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  }
  t_->hsa.FailNone(HsaSlot::amd_memory_async_copy);
  ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  Finish();
  EXPECT_EQ(t_->sink.seen(kCopy), 1u);
  EXPECT_EQ(t_->sink.recorded(kCopy), 1u);
}

TEST_F(AsyncCopiesTest, KeepsTimingOnFromTheFirstCopyOnly) {
  Start();
  EXPECT_FALSE(t_->hsa.copies_are_timed());
  EXPECT_EQ(t_->hsa.TimeCopies(true), HSA_STATUS_SUCCESS);
  EXPECT_EQ(t_->hsa.TimeCopies(false), HSA_STATUS_SUCCESS);
  EXPECT_FALSE(t_->hsa.copies_are_timed()) << "nothing to time yet";
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  EXPECT_TRUE(t_->hsa.copies_are_timed());
  EXPECT_EQ(t_->hsa.TimeCopies(false), HSA_STATUS_SUCCESS);
  EXPECT_TRUE(t_->hsa.copies_are_timed());
  t_->hsa.CompleteCopies();
  Finish();
  EXPECT_EQ(t_->hsa.TimeCopies(false), HSA_STATUS_SUCCESS);
  EXPECT_FALSE(t_->hsa.copies_are_timed()) << "after the end it is the application's again";
}

TEST_F(AsyncCopiesTest, WithoutTimesACopyIsALossAndNeverGetsAnotherCopysTimes) {
  Start();
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  t_->hsa.Store(signal, 1);
  // Between host and host nobody takes times; the first copy's are still there.
  ASSERT_EQ(t_->hsa.Copy(t_->hsa.CpuAgent(), t_->hsa.CpuAgent(), 1, signal), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  Finish();
  EXPECT_EQ(t_->sink.recorded(kCopy), 1u);
  EXPECT_EQ(t_->sink.loss(Loss::kBadTimestamps, kCopy), 1u);
}

TEST_F(AsyncCopiesTest, LiteLeavesThemAlone) {
  t_ = std::make_unique<TracedHsa>();
  t_->options.mode = Mode::kLite;
  ASSERT_TRUE(t_->Install().ok());
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  EXPECT_FALSE(t_->hsa.copies_are_timed());
  t_->hsa.CompleteCopies();
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kHasSignal, kCopy), 1u);
}

TEST_F(AsyncCopiesTest, WhatHasNotEndedAtTheEndIsCounted) {
  t_ = std::make_unique<TracedHsa>();
  t_->options.exit_budget_ns = 1'000'000;
  ASSERT_TRUE(t_->Install().ok());
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kShutdown, kCopy), 1u);
  t_->hsa.CompleteCopies();
  EXPECT_EQ(FakeHsa::Value(signal), 0);
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  EXPECT_EQ(t_->sink.seen(kCopy), 1u) << "after the end nothing is counted";
}

TEST_F(AsyncCopiesTest, BeyondTheBoundTheyAreCounted) {
  Start();
  for (uint32_t i = 0; i < AsyncCopies::kCapacity + 3; ++i) {
    ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  }
  t_->hsa.CompleteCopies();
  Finish();
  const uint64_t lost = t_->sink.loss(Loss::kBacklog, kCopy);
  EXPECT_EQ(t_->sink.lost(kCopy), lost + t_->sink.loss(Loss::kSharedSignal, kCopy));
  EXPECT_GE(t_->sink.lost(kCopy), 3u);
}

TEST_F(AsyncCopiesTest, ARectangleTellsItsDirectionItself) {
  Start(testing::kRocm52);
  ASSERT_EQ(t_->hsa.CopyRect(t_->hsa.Agent(0), hsaDeviceToHost, {3, 5, 7}, t_->hsa.CreateSignal(1)),
            HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(1));
  Finish();
  const CopyRecord record = t_->sink.copies()[0];
  EXPECT_EQ(record.bytes, 105u);
  EXPECT_EQ(record.kind, CopyKind::kDeviceToHost);
  EXPECT_EQ(record.src_agent, t_->capture.AgentNumber(t_->hsa.Agent(0)));
  EXPECT_EQ(record.dst_agent, 0u);
}

TEST_F(AsyncCopiesTest, ACopyOnAChosenEngineIsACopy) {
  Start();
  ASSERT_EQ(t_->hsa.CopyOnEngine(t_->hsa.Agent(1), t_->hsa.Agent(0), 77, t_->hsa.CreateSignal(1)),
            HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(1));
  Finish();
  EXPECT_EQ(t_->sink.copies()[0].bytes, 77u);
  EXPECT_EQ(t_->sink.copies()[0].kind, CopyKind::kDeviceToDevice);
}

TEST_F(AsyncCopiesTest, EveryOperationOfABatchIsACopy) {
  Start(testing::kRocm10);
  std::vector<CopyOperation> batch;
  for (uint64_t i = 0; i < AsyncCopies::kMaxPerCall + 2; ++i) {
    CopyOperation operation = {};
    operation.completion_signal = t_->hsa.CreateSignal(1);
    operation.dst_agent = t_->hsa.Agent(0);
    operation.src_agent = t_->hsa.CpuAgent();
    operation.size = 100 + i;
    batch.push_back(operation);
  }
  ASSERT_EQ(t_->hsa.CopyBatch(batch), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(AsyncCopies::kMaxPerCall));
  Finish();
  EXPECT_EQ(t_->sink.copies()[5].bytes, 105u);
  EXPECT_EQ(t_->sink.loss(Loss::kBacklog, kCopy), 2u);
}

TEST_F(AsyncCopiesTest, AKernelAndACopyMayTakeTurnsOnOneSignal) {
  Start();
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
    t_->hsa.CompleteCopies();
    t_->hsa.Store(signal, 1);
    t_->hsa.Submit(queue, FakeHsa::Kernel(1, signal));
    ASSERT_EQ(t_->hsa.Complete(queue, 1), 1u);
    ASSERT_TRUE(testing::WaitUntil([&] { return FakeHsa::Value(signal) == 0; }));
    t_->hsa.Store(signal, 1);
  }
  Finish();
  EXPECT_EQ(t_->sink.recorded(kCopy), 100u);
  EXPECT_EQ(t_->sink.recorded(), 100u);
}

}  // namespace
}  // namespace rtl::capture
