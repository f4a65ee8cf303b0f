// SPDX-License-Identifier: MIT
// A stalled worker: pending signals are still completed, packets pass through untouched, and
// tracing continues when the worker returns.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::TracedHsa;
using support::WaitUntil;

class StallTest : public ::testing::Test {
 protected:
  StallTest() {
    t_.options.heartbeat = [](void* self) { static_cast<StallTest*>(self)->Beat(); };
    t_.options.heartbeat_data = this;
    t_.options.exit_budget_ns = 20'000'000;
  }
  ~StallTest() override { held_ = false; }

  void Install() {
    ASSERT_TRUE(t_.Install().ok());
    queue_ = t_.hsa.CreateQueue();
    ASSERT_NE(queue_, nullptr);
  }
  // The worker is stalled from now on, as in a write to a disk that does not respond.
  void Hold() {
    held_ = true;
    ASSERT_TRUE(WaitUntil([&] { return inside_.load(); }));
  }
  void Release() { held_ = false; }
  void Submit(hsa_signal_t signal = {}) { t_.hsa.Submit(queue_, FakeHsa::Kernel(1, signal)); }
  uint64_t Stalled() { return t_.sink.loss(Loss::kStalled); }

  TracedHsa t_{support::kRocm61, FakeHsa::Gpu::kAtOnce};
  hsa_queue_t* queue_ = nullptr;

 private:
  void Beat() {
    while (held_) {
      inside_ = true;
      std::this_thread::yield();
    }
    inside_ = false;
  }

  std::atomic<bool> held_{false};
  std::atomic<bool> inside_{false};
};

TEST_F(StallTest, CompletesTheApplicationsSignalsDuringAStall) {
  t_.options.app_signals = AppSignals::kForward;
  Install();
  Hold();
  for (int i = 0; i < 100; ++i) {
    const hsa_signal_t signal = t_.hsa.CreateSignal(1);
    Submit(signal);
    ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 0; }));
    EXPECT_NE(FakeHsa::StartOf(signal), 0u);
  }
  EXPECT_EQ(t_.sink.dispatch_count(), 0u);
  Release();
  EXPECT_TRUE(t_.WaitForRecords(100));
  t_.capture.Stop();
  EXPECT_TRUE(t_.Conserved());
}

TEST_F(StallTest, PassesPacketsThroughUntilTheWorkerReturns) {
  t_.options.stall_ns = 20'000'000;
  Install();
  Submit();
  ASSERT_TRUE(t_.WaitForRecords(1));
  Hold();
  ASSERT_TRUE(WaitUntil([&] {
    Submit();
    return Stalled() != 0;
  }));
  EXPECT_EQ(t_.hsa.History(queue_).back().dispatch.completion_signal.handle, 0u);
  const size_t before = t_.sink.dispatch_count();
  Release();
  ASSERT_TRUE(WaitUntil([&] {
    const uint64_t stalled = Stalled();
    Submit();
    return Stalled() == stalled && t_.sink.dispatch_count() > before;
  }));
  t_.capture.Stop();
  EXPECT_TRUE(t_.Conserved());
  const auto ends = t_.sink.queue_ends();
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_EQ(ends[0].losses[static_cast<size_t>(Loss::kStalled)], Stalled());
}

TEST_F(StallTest, PassesAnApplicationsSignalThrough) {
  t_.options.stall_ns = 20'000'000;
  t_.options.app_signals = AppSignals::kForward;
  Install();
  Hold();
  hsa_signal_t signal = {};
  ASSERT_TRUE(WaitUntil([&] {
    signal = t_.hsa.CreateSignal(1);
    Submit(signal);
    return Stalled() != 0;
  }));
  EXPECT_EQ(t_.hsa.History(queue_).back().dispatch.completion_signal.handle, signal.handle);
  EXPECT_EQ(FakeHsa::Value(signal), 0);
}

TEST_F(StallTest, PassesABatchThrough) {
  t_.options.stall_ns = 20'000'000;
  t_.options.mode = Mode::kFull;
  Install();
  Hold();
  const std::vector<AqlPacket> batch(3, FakeHsa::Kernel(1));
  ASSERT_TRUE(WaitUntil([&] {
    t_.hsa.SubmitBatch(queue_, batch);
    return Stalled() >= batch.size();
  }));
  EXPECT_EQ(t_.hsa.History(queue_).back().dispatch.completion_signal.handle, 0u);
  Release();
  t_.capture.Stop();
  EXPECT_TRUE(t_.Conserved());
}

TEST_F(StallTest, RecordsUnreadKernelsWhenTheWorkerReturns) {
  Install();
  Hold();
  for (int i = 0; i < 500; ++i) {
    Submit();
  }
  Release();
  EXPECT_TRUE(t_.WaitForRecords(500)) << "half a second is not a stall";
  t_.capture.Stop();
  EXPECT_EQ(t_.sink.lost(), 0u);
}

TEST_F(StallTest, MakesHooksWaitForTheWorkerWhenNothingMayBeLost) {
  t_.options.room_wait_ns = 60'000'000'000;
  t_.options.stall_ns = 1'000'000;  // ignored
  t_.options.pending_per_queue = 64;
  Install();
  Hold();
  std::atomic<int> submitted{0};
  std::thread application([&] {
    for (; submitted < 1000; ++submitted) Submit();
  });
  ASSERT_TRUE(WaitUntil([&] { return submitted >= 64; }));
  Release();
  application.join();
  t_.capture.Stop();
  EXPECT_EQ(t_.sink.recorded(), 1000u);
  EXPECT_EQ(t_.sink.lost(), 0u);
}

TEST_F(StallTest, LimitsTheWaitForTheWorker) {
  t_.options.room_wait_ns = 20'000'000;
  t_.options.pending_per_queue = 64;
  Install();
  Hold();
  for (int i = 0; i < 1000; ++i) Submit();
  EXPECT_EQ(t_.sink.loss(Loss::kBacklog), 1000u - 64u);
}

// The state of a stopped process when it continues: the last pass was long ago, and the worker has
// not had its turn yet.
TEST_F(StallTest, DoesNotTreatALongSilenceAloneAsAStall) {
  t_.options.stall_ns = 20'000'000;
  Install();
  Hold();
  const uint64_t until = BootTimeNs() + 5 * t_.options.stall_ns;
  ASSERT_TRUE(WaitUntil([&] { return BootTimeNs() > until; }));
  Submit();
  EXPECT_EQ(Stalled(), 0u);
  Release();
  EXPECT_TRUE(t_.WaitForRecords(1));
}

TEST_F(StallTest, LimitsTheWaitOfStopForTheWorker) {
  Install();
  Submit();
  Hold();
  Submit();
  t_.capture.Stop();  // returns
  EXPECT_EQ(t_.Submitted(), 2u);
  Release();
  EXPECT_TRUE(WaitUntil([&] { return t_.Conserved(); }));
}

TEST(Forward, DropsThePendingSignalsOfADestroyedQueue) {
  TracedHsa t;
  t.options.app_signals = AppSignals::kForward;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const hsa_signal_t ended = t.hsa.CreateSignal(1), running = t.hsa.CreateSignal(1);
  t.hsa.Submit(queue, FakeHsa::Kernel(1, ended));
  t.hsa.Submit(queue, FakeHsa::Kernel(2, running));
  (void)t.hsa.Complete(queue, 1);
  EXPECT_TRUE(WaitUntil([&] { return FakeHsa::Value(ended) == 0; }));
  ASSERT_EQ(t.hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  ASSERT_TRUE(WaitUntil([&] { return t.sink.queue_ends().size() == 1; }));
  EXPECT_EQ(t.sink.recorded(), 1u);
  EXPECT_EQ(t.sink.loss(Loss::kQueueDestroyed), 1u);
  EXPECT_EQ(FakeHsa::Value(running), 1) << "its kernel never ended";
  t.capture.Stop();
  EXPECT_TRUE(t.Conserved());
  EXPECT_EQ(t.hsa.bad_uses(), 0u);
}

TEST(Forward, CompletesManySignalsOfManyQueues) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kThread);
  t.options.app_signals = AppSignals::kForward;
  ASSERT_TRUE(t.Install().ok());
  constexpr int kThreads = 4, kKernels = 2000;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      hsa_queue_t* const queue = t.hsa.CreateQueue();
      const hsa_signal_t signal = t.hsa.CreateSignal(kKernels);
      for (int kernel = 0; kernel < kKernels; ++kernel) {
        t.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
      }
      if (!WaitUntil([&] { return FakeHsa::Value(signal) == 0; })) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  t.capture.Stop();
  EXPECT_EQ(t.sink.recorded(), static_cast<uint64_t>(kThreads * kKernels));
  EXPECT_TRUE(t.Conserved());
  EXPECT_EQ(t.hsa.bad_uses(), 0u);
}

}  // namespace
}  // namespace rtl::capture
