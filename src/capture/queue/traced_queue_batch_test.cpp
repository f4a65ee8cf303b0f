// SPDX-License-Identifier: MIT
// Batches in full mode: packets that the runtime passes in one call are recorded one by one.
#include <gtest/gtest.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::TracedHsa;

class FullModeTest : public ::testing::Test {
 protected:
  void Start(const support::TableLayout& layout = support::kRocm10,
             FakeHsa::Gpu gpu = FakeHsa::Gpu::kManual) {
    t_ = std::make_unique<TracedHsa>(layout, gpu);
    t_->options.mode = Mode::kFull;
    ASSERT_TRUE(t_->Install().ok());
  }
  void Finish() {
    t_->hsa.CompleteAll();
    t_->capture.Stop();
    EXPECT_TRUE(t_->Conserved());
    EXPECT_EQ(t_->hsa.bad_uses(), 0u);
  }
  static const void* Bytes(const AqlPacket& packet) { return &packet; }
  static std::vector<AqlPacket> Kernels(uint64_t count) {
    std::vector<AqlPacket> packets;
    for (uint64_t i = 0; i < count; ++i) packets.push_back(FakeHsa::Kernel(i));
    return packets;
  }

  std::unique_ptr<TracedHsa> t_;
};

// A kernel may end its process before the runtime's writer has returned.
TEST_F(FullModeTest, CountsKernelsBeforeTheDeviceCanHaveThem) {
  for (const Mode mode : {Mode::kFull, Mode::kStandard}) {
    TracedHsa traced(support::kRocm10, FakeHsa::Gpu::kAtOnce);
    traced.options.mode = mode;
    ASSERT_TRUE(traced.Install().ok());
    hsa_queue_t* const queue = traced.hsa.CreateQueue();
    uint64_t submitted = 0;
    traced.hsa.OnWrite([&] { submitted = traced.Submitted(); });
    traced.hsa.Submit(queue, FakeHsa::Kernel(1));
    EXPECT_EQ(submitted, 1u);
    traced.hsa.SubmitBatch(queue, Kernels(3));
    EXPECT_EQ(submitted, 4u);
    traced.hsa.OnWrite(nullptr);
  }
}

TEST_F(FullModeTest, RecordsEveryKernelOfABatchAndChangesOnlySignals) {
  Start();
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  t_->hsa.Submit(queue, FakeHsa::Kernel(9));
  const std::vector<AqlPacket> batch = {FakeHsa::Kernel(1), FakeHsa::Barrier(), FakeHsa::Kernel(2),
                                        FakeHsa::Barrier(done)};
  std::vector<AqlPacket> handed = batch;
  t_->hsa.SubmitBatch(queue, handed);
  EXPECT_EQ(memcmp(Bytes(handed[0]), Bytes(batch[0]), sizeof(AqlPacket) * 4), 0)
      << "the graph's own packets";
  const auto history = t_->hsa.History(queue);
  ASSERT_EQ(history.size(), 5u);
  EXPECT_EQ(t_->hsa.WriterCalls(queue), 2u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(memcmp(&history[i + 1], &batch[i], 56), 0) << i;
  }
  EXPECT_NE(history[1].dispatch.completion_signal.handle, 0u);
  EXPECT_NE(history[3].dispatch.completion_signal.handle, 0u);
  EXPECT_NE(history[1].dispatch.completion_signal.handle,
            history[3].dispatch.completion_signal.handle);
  EXPECT_EQ(history[2].barrier.completion_signal.handle, 0u);
  EXPECT_EQ(history[4].barrier.completion_signal.handle, done.handle);
  Finish();
  const auto dispatches = t_->sink.DispatchesByPacket();
  ASSERT_EQ(dispatches.size(), 3u);
  EXPECT_EQ(dispatches[1].packet, 1u);
  EXPECT_EQ(dispatches[2].packet, 3u);
  EXPECT_EQ(dispatches[2].kernel, 1002u);
  EXPECT_EQ(FakeHsa::Value(done), 0);
  EXPECT_EQ(t_->Submitted(), 3u);
  EXPECT_EQ(t_->other_packets, 2u);
}

TEST_F(FullModeTest, WrapsABatchAtTheEndOfTheRing) {
  Start();
  std::vector<AqlPacket> ring = Kernels(64);
  t_->hsa.NextQueueRing(ring.data());
  hsa_queue_t* const queue = t_->hsa.CreateQueue(64);
  t_->hsa.SubmitFrom(queue, &ring[0], 60);
  t_->hsa.CompleteAll();
  t_->hsa.SubmitFrom(queue, &ring[60], 8);
  EXPECT_EQ(t_->hsa.WriterCalls(queue), 2u) << "in one piece";
  Finish();
  const auto dispatches = t_->sink.DispatchesByPacket();
  ASSERT_EQ(dispatches.size(), 68u);
  for (uint64_t i = 0; i < 68; ++i) {
    EXPECT_EQ(dispatches[i].packet, i);
    EXPECT_EQ(dispatches[i].kernel, 1000 + i % 64);
  }
}

TEST_F(FullModeTest, RecordsABatchThatComesSafelyInTheOtherModes) {
  for (const Mode mode : {Mode::kStandard, Mode::kLite}) {
    TracedHsa traced(support::kRocm10, FakeHsa::Gpu::kAtOnce);
    traced.options.mode = mode;
    ASSERT_TRUE(traced.Install().ok());
    hsa_queue_t* const queue = traced.hsa.CreateQueue();
    std::vector<AqlPacket> batch = Kernels(3);
    batch.push_back(FakeHsa::Kernel(3, traced.hsa.CreateSignal(1)));
    traced.hsa.SubmitBatch(queue, batch);
    traced.capture.Stop();
    EXPECT_EQ(traced.sink.loss(Loss::kBatch), 0u);
    EXPECT_EQ(traced.sink.loss(Loss::kHasSignal), mode == Mode::kLite ? 1u : 0u);
    EXPECT_EQ(traced.sink.recorded(), mode == Mode::kLite ? 3u : 4u);
    EXPECT_TRUE(traced.Conserved());
  }
}

// In a mode that omits batches, and after the trace has stopped.
TEST_F(FullModeTest, PassesAnUnrecordedBatchToTheRuntimeInOneCall) {
  t_ = std::make_unique<TracedHsa>(support::kRocm61);
  t_->options.mode = Mode::kStandard;
  ASSERT_TRUE(t_->Install().ok());
  std::vector<AqlPacket> ring = Kernels(8);
  t_->hsa.NextQueueRing(ring.data());
  hsa_queue_t* const queue = t_->hsa.CreateQueue(8);
  for (int stopped = 0; stopped < 2; ++stopped) {
    const uint64_t calls = t_->hsa.WriterCalls(queue);
    t_->hsa.SubmitFrom(queue, &ring[6], 5);
    EXPECT_EQ(t_->hsa.WriterCalls(queue), calls + 1);
    const auto history = t_->hsa.History(queue);
    ASSERT_EQ(history.size(), 5u * (stopped + 1));
    for (uint64_t i = 0; i < 5; ++i) {
      EXPECT_EQ(
          memcmp(Bytes(history[5 * stopped + i]), Bytes(ring[(6 + i) % 8]), sizeof(AqlPacket)), 0);
    }
    t_->hsa.CompleteAll();
    t_->capture.Stop();
  }
  EXPECT_TRUE(t_->Conserved());
}

TEST_F(FullModeTest, AcceptsBatchesLargerThanAnyBufferAndKeepsTheirOrder) {
  Start();
  hsa_queue_t* const queue = t_->hsa.CreateQueue(16'384);
  uint64_t packet = 0;
  for (const uint64_t count : {2, 255, 256, 257, 5000, 3}) {
    t_->hsa.SubmitBatch(queue, Kernels(count));
    packet += count;
  }
  t_->hsa.CompleteAt(queue, 10);  // recorded first
  ASSERT_TRUE(t_->WaitForRecords(1));
  Finish();
  const auto dispatches = t_->sink.DispatchesByPacket();
  ASSERT_EQ(dispatches.size(), packet);
  for (uint64_t i = 0; i < packet; ++i) {
    ASSERT_EQ(dispatches[i].packet, i);
  }
  EXPECT_EQ(t_->sink.lost(), 0u);
}

TEST_F(FullModeTest, KeepsValuesAndTimesOfTheApplicationsSignalsInABatch) {
  Start();
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  const hsa_signal_t alone = t_->hsa.CreateSignal(1);
  const hsa_signal_t shared = t_->hsa.CreateSignal(2);
  t_->hsa.SubmitBatch(
      queue, {FakeHsa::Kernel(1, alone), FakeHsa::Kernel(2, shared), FakeHsa::Kernel(3, shared)});
  const auto history = t_->hsa.History(queue);
  EXPECT_EQ(history[0].dispatch.completion_signal.handle, alone.handle) << "read in place";
  t_->hsa.CompleteAll();
  EXPECT_TRUE(support::WaitUntil([&] { return FakeHsa::Value(shared) == 0; }));
  Finish();
  const auto dispatches = t_->sink.dispatches();
  ASSERT_EQ(dispatches.size(), 3u);
  for (const DispatchRecord& record : dispatches) {
    EXPECT_EQ(record.flags & kDispatchFlagOwnSignal, kDispatchFlagOwnSignal);
    if (record.kernel == 1001) {
      EXPECT_EQ(record.start_ticks, FakeHsa::StartOf(alone));
    }
    if (record.kernel == 1003) {
      EXPECT_EQ(record.end_ticks, FakeHsa::EndOf(shared));
    }
  }
  EXPECT_EQ(FakeHsa::Value(alone), 0);
}

TEST_F(FullModeTest, CountsKernelsWithoutASignalAndRecordsTheRestOfTheirBatch) {
  Start();
  hsa_queue_t* const queue = t_->hsa.CreateQueue(16'384);
  t_->hsa.FailAll(HsaSlot::amd_signal_create);
  t_->hsa.SubmitBatch(queue, Kernels(1000));
  const auto history = t_->hsa.History(queue);
  const auto bare = static_cast<uint64_t>(std::count_if(
      history.begin(), history.end(),
      [](const AqlPacket& packet) { return packet.dispatch.completion_signal.handle == 0; }));
  Finish();
  EXPECT_GT(bare, 0u);
  EXPECT_EQ(t_->sink.loss(Loss::kNoSignal), bare);
  EXPECT_EQ(t_->sink.recorded(), 1000 - bare);
}

TEST_F(FullModeTest, NeverFillsTheRingOfARuntimeThatWouldAbort) {
  Start(support::kRocm72, FakeHsa::Gpu::kThread);
  hsa_queue_t* const queue = t_->hsa.CreateQueue(256);
  for (int i = 0; i < 200; ++i) {
    t_->hsa.SubmitBatch(queue, Kernels(37));
  }
  Finish();
  EXPECT_EQ(t_->hsa.overflows(), 0u);
  EXPECT_EQ(t_->sink.recorded(), 200u * 37);
}

}  // namespace
}  // namespace rtl::capture
