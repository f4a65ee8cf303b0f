// SPDX-License-Identifier: MIT
// Asynchronous copies on a fake runtime.
#include "capture/queue/async_copies.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "capture/hip/open_call.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::TracedHsa;

constexpr EventKind kCopy = EventKind::kCopy;

class AsyncCopiesTest : public ::testing::Test {
 protected:
  void Start(const support::TableLayout& layout = support::kRocm61) {
    t_ = std::make_unique<TracedHsa>(layout);
    ASSERT_TRUE(t_->Install().ok());
  }
  void Finish() {
    t_->capture.Stop();
    // Stop waits for a limited time, and a preempted worker may need longer.
    EXPECT_TRUE(support::WaitUntil([&] { return t_->Conserved(); }));
    EXPECT_EQ(t_->hsa.bad_uses(), 0u);
  }
  hsa_status_t ToGpu(hsa_signal_t signal, size_t bytes = 4096) {
    return t_->hsa.Copy(t_->hsa.Agent(1), t_->hsa.CpuAgent(), bytes, signal);
  }

  void CopyThatIsTold(int64_t start_shift, int64_t end_shift) {
    t_->hsa.ShiftCopyTimes(start_shift, end_shift);
    ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
    ASSERT_EQ(t_->hsa.CompleteCopies(), 1u);
  }

  std::unique_ptr<TracedHsa> t_;
};

// The tracer holds no lock while it calls the runtime, which may call back.
TEST_F(AsyncCopiesTest, CallsTheRuntimeWithoutALock) {
  Start();
  std::atomic<int> depth{0};
  std::atomic<bool> done{false};
  t_->hsa.OnTimeCopies([&] {
    if (depth++ != 0) return;
    std::thread other([&] {
      EXPECT_EQ(t_->hsa.TimeCopies(false), HSA_STATUS_SUCCESS);
      EXPECT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
      done = true;
    });
    EXPECT_TRUE(support::WaitUntil([&] { return done.load(); })) << "it waits for this thread";
    done ? other.join() : other.detach();
  });
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  t_->hsa.OnTimeCopies(nullptr);
  EXPECT_TRUE(t_->hsa.copies_are_timed());
  t_->hsa.CompleteCopies();
  Finish();
  EXPECT_EQ(t_->sink.copy_count(), 2u);
}

TEST_F(AsyncCopiesTest, RecordsTheCallsArgumentsAndTheRuntimesTimes) {
  Start();
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  const uint64_t before = BootTimeNs();
  ASSERT_EQ(ToGpu(signal, 12'345), HSA_STATUS_SUCCESS);
  const uint64_t after = BootTimeNs();
  EXPECT_EQ(FakeHsa::Value(signal), 1);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(1));
  EXPECT_EQ(FakeHsa::Value(signal), 0) << "decremented once, by the GPU";
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

TEST_F(AsyncCopiesTest, LinksACopyToTheOpenCallOfItsThread) {
  Start();
  ThreadCalls* const calls = OpenCall::MakeCalls();
  calls->recorded = 42;
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  calls->recorded = 0;
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(2));
  uint64_t sum = 0;
  for (const CopyRecord& record : t_->sink.copies()) sum += record.correlation;
  EXPECT_EQ(sum, 42u);
  Finish();
}

TEST_F(AsyncCopiesTest, DerivesTheDirectionFromTheAgents) {
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

TEST_F(AsyncCopiesTest, RecordsACopyOnASignalThatIsSetAgainAtOnce) {
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

TEST_F(AsyncCopiesTest, ReadsASignalThatIsDestroyedAfterTheEnd) {
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

TEST_F(AsyncCopiesTest, CountsALossForASignalDestroyedBeforeTheEnd) {
  Start();
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
  ASSERT_EQ(t_->hsa.DestroySignal(signal), HSA_STATUS_SUCCESS);
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kSignalReused, kCopy), 1u);
}

TEST_F(AsyncCopiesTest, CountsLossesForSeveralCopiesOnOneSignal) {
  Start();
  const hsa_signal_t signal = t_->hsa.CreateSignal(2);
  ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
  ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  EXPECT_EQ(FakeHsa::Value(signal), 0);
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kSharedSignal, kCopy), 2u);
}

TEST_F(AsyncCopiesTest, RecordsNoEventForAFailedCall) {
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
  EXPECT_EQ(t_->sink.submitted(kCopy), 1u);
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
  EXPECT_FALSE(t_->hsa.copies_are_timed()) << "after the end the application decides again";
}

TEST_F(AsyncCopiesTest, CountsACopyWithoutTimesAsALossAndUsesNoOtherCopysTimes) {
  Start();
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  t_->hsa.Store(signal, 1);
  // The runtime takes no times of copies from host to host: the signal still has the first copy's.
  ASSERT_EQ(t_->hsa.Copy(t_->hsa.CpuAgent(), t_->hsa.CpuAgent(), 1, signal), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  Finish();
  EXPECT_EQ(t_->sink.recorded(kCopy), 1u);
  EXPECT_EQ(t_->sink.loss(Loss::kBadTimestamps, kCopy), 1u);
}

TEST_F(AsyncCopiesTest, CountsImpossibleTimesAsALoss) {
  constexpr int64_t kHour = 3'600'000'000'000;
  constexpr int64_t kCopyNs = FakeHsa::kCopyNs;
  Start();
  CopyThatIsTold(kCopyNs + 1, 0);  // ends before it starts
  CopyThatIsTold(-kHour, -kHour);  // long before it was requested
  CopyThatIsTold(-kHour, kHour);   // in the future
  Finish();
  EXPECT_EQ(t_->sink.recorded(kCopy), 0u);
  EXPECT_EQ(t_->sink.loss(Loss::kBadTimestamps, kCopy), 3u);
}

TEST_F(AsyncCopiesTest, AcceptsSlightlyWrongTimes) {
  constexpr int64_t kHalfASecond = 500'000'000;
  Start();
  CopyThatIsTold(FakeHsa::kCopyNs, 0);  // takes no time at all
  CopyThatIsTold(-kHalfASecond, -kHalfASecond);
  CopyThatIsTold(kHalfASecond, kHalfASecond);
  Finish();
  EXPECT_EQ(t_->sink.recorded(kCopy), 3u);
}

TEST_F(AsyncCopiesTest, OmitsCopiesInModeLite) {
  t_ = std::make_unique<TracedHsa>();
  t_->options.mode = Mode::kLite;
  ASSERT_TRUE(t_->Install().ok());
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  EXPECT_FALSE(t_->hsa.copies_are_timed());
  t_->hsa.CompleteCopies();
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kHasSignal, kCopy), 1u);
}

TEST_F(AsyncCopiesTest, CountsPendingCopiesAtTheEnd) {
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
  EXPECT_EQ(t_->sink.submitted(kCopy), 2u);
  EXPECT_EQ(t_->sink.loss(Loss::kShutdown, kCopy), 2u) << "after the end copies are counted";
}

TEST_F(AsyncCopiesTest, HoldsMoreCopiesInFlightThanTheTableOfSignals) {
  Start();
  constexpr uint32_t kMany = 12'000;
  for (uint32_t i = 0; i < kMany; ++i) {
    ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1), i), HSA_STATUS_SUCCESS);
  }
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(kMany));
  Finish();
  EXPECT_EQ(t_->sink.lost(kCopy), 0u);
  std::set<uint64_t> sizes;
  for (const CopyRecord& record : t_->sink.copies()) sizes.insert(record.bytes);
  EXPECT_EQ(sizes.size(), kMany) << "each once";
}

TEST_F(AsyncCopiesTest, ReadsSignalsBeyondTheTableBeforeTheyAreDestroyedOrSet) {
  Start();
  std::vector<hsa_signal_t> signals;
  for (uint32_t i = 0; i < 12'000; ++i) {
    signals.push_back(t_->hsa.CreateSignal(1));
    ASSERT_EQ(ToGpu(signals.back()), HSA_STATUS_SUCCESS);
  }
  t_->hsa.CompleteCopies();
  for (size_t i = 0; i < signals.size(); ++i) {
    if (i % 2 == 0) t_->hsa.Store(signals[i], 1);
    ASSERT_EQ(t_->hsa.DestroySignal(signals[i]), HSA_STATUS_SUCCESS);
  }
  ASSERT_TRUE(t_->WaitForCopies(signals.size()));
  Finish();
  EXPECT_EQ(t_->sink.recorded(kCopy), signals.size());
}

TEST_F(AsyncCopiesTest, CountsCopiesBeyondTheBound) {
  Start();
  for (uint32_t i = 0; i < AsyncCopies::kCapacity + 3; ++i) {
    ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  }
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(AsyncCopies::kCapacity));
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kBacklog, kCopy), 3u);
  EXPECT_EQ(t_->sink.lost(kCopy), 3u);
}

TEST_F(AsyncCopiesTest, WaitsForRoomWhenNothingMayBeLost) {
  t_ = std::make_unique<TracedHsa>();
  t_->options.room_wait_ns = 60'000'000'000;
  ASSERT_TRUE(t_->Install().ok());
  constexpr uint32_t kMore = 500;
  std::atomic<uint32_t> made{0};
  std::thread gpu([&] {
    (void)support::WaitUntil([&] { return made == AsyncCopies::kCapacity; });
    // The next copy waits for room by now, or finds room.
    while (made < AsyncCopies::kCapacity + kMore) t_->hsa.CompleteCopies(1);
  });
  for (uint32_t i = 0; i < AsyncCopies::kCapacity + kMore; ++i) {
    EXPECT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
    ++made;
  }
  gpu.join();
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(AsyncCopies::kCapacity + kMore));
  Finish();
  EXPECT_EQ(t_->sink.lost(kCopy), 0u);
}

TEST_F(AsyncCopiesTest, EndsTheWaitForRoomWhenTracingEnds) {
  t_ = std::make_unique<TracedHsa>();
  t_->options.room_wait_ns = 60'000'000'000;
  t_->options.exit_budget_ns = 1'000'000;
  ASSERT_TRUE(t_->Install().ok());
  for (uint32_t i = 0; i < AsyncCopies::kCapacity; ++i) {
    ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  }
  std::atomic<bool> asked{false};
  std::thread waiting([&] {
    asked = true;
    EXPECT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  });
  ASSERT_TRUE(support::WaitUntil([&] { return asked.load(); }));
  const uint64_t before = BootTimeNs();
  t_->capture.Stop();
  waiting.join();
  EXPECT_LT(BootTimeNs() - before, t_->options.room_wait_ns / 2);
  t_->hsa.CompleteCopies();
  Finish();
}

TEST_F(AsyncCopiesTest, TakesTheDirectionFromARectangularCopy) {
  Start(support::kRocm52);
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

TEST_F(AsyncCopiesTest, RecordsACopyOnAChosenEngine) {
  Start();
  ASSERT_EQ(t_->hsa.CopyOnEngine(t_->hsa.Agent(1), t_->hsa.Agent(0), 77, t_->hsa.CreateSignal(1)),
            HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(1));
  Finish();
  EXPECT_EQ(t_->sink.copies()[0].bytes, 77u);
  EXPECT_EQ(t_->sink.copies()[0].kind, CopyKind::kDeviceToDevice);
}

std::vector<CopyOperation> BatchOf(FakeHsa* hsa, uint64_t count) {
  std::vector<CopyOperation> batch;
  for (uint64_t i = 0; i < count; ++i) {
    CopyOperation operation = {};
    operation.completion_signal = hsa->CreateSignal(1);
    operation.dst_agent = hsa->Agent(0);
    operation.src_agent = hsa->CpuAgent();
    operation.size = 100 + i;
    batch.push_back(operation);
  }
  return batch;
}

TEST_F(AsyncCopiesTest, RecordsEveryOperationOfABatch) {
  Start(support::kRocm10);
  constexpr uint64_t kMany = 1000;
  ASSERT_EQ(t_->hsa.CopyBatch(BatchOf(&t_->hsa, kMany)), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(kMany));
  Finish();
  EXPECT_EQ(t_->sink.lost(kCopy), 0u);
  uint64_t bytes = 0;
  for (const CopyRecord& record : t_->sink.copies()) {
    bytes += record.bytes;
    EXPECT_EQ(record.kind, CopyKind::kHostToDevice);
  }
  EXPECT_EQ(bytes, kMany * 100 + kMany * (kMany - 1) / 2);
}

TEST_F(AsyncCopiesTest, RecordsNoEventForAFailedBatch) {
  Start(support::kRocm10);
  t_->hsa.FailNth(HsaSlot::amd_memory_async_batch_copy, 1);
  std::vector<CopyOperation> batch = BatchOf(&t_->hsa, 100);
  EXPECT_NE(t_->hsa.CopyBatch(batch), HSA_STATUS_SUCCESS);
  batch[7].type = 1;  // not linear: its size is not recorded
  EXPECT_EQ(t_->hsa.CopyBatch(batch), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(100));
  Finish();
  EXPECT_EQ(t_->sink.submitted(kCopy), 100u);
  uint64_t unknown = 0;
  for (const CopyRecord& record : t_->sink.copies()) unknown += record.bytes == 0;
  EXPECT_EQ(unknown, 1u);
}

TEST_F(AsyncCopiesTest, DoesNotWaitForABatchLargerThanTheBound) {
  t_ = std::make_unique<TracedHsa>(support::kRocm10);
  t_->options.room_wait_ns = 600'000'000'000;  // the test would not end
  ASSERT_TRUE(t_->Install().ok());
  ASSERT_EQ(t_->hsa.CopyBatch(BatchOf(&t_->hsa, AsyncCopies::kCapacity + 5)), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForCopies(AsyncCopies::kCapacity));
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kBacklog, kCopy), 5u);
}

TEST_F(AsyncCopiesTest, RecordsKernelsAndCopiesThatAlternateOnOneSignal) {
  Start();
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(ToGpu(signal), HSA_STATUS_SUCCESS);
    t_->hsa.CompleteCopies();
    t_->hsa.Store(signal, 1);
    t_->hsa.Submit(queue, FakeHsa::Kernel(1, signal));
    ASSERT_EQ(t_->hsa.Complete(queue, 1), 1u);
    ASSERT_TRUE(support::WaitUntil([&] { return FakeHsa::Value(signal) == 0; }));
    t_->hsa.Store(signal, 1);
  }
  Finish();
  EXPECT_EQ(t_->sink.recorded(kCopy), 100u);
  EXPECT_EQ(t_->sink.recorded(), 100u);
}

}  // namespace
}  // namespace rtl::capture
