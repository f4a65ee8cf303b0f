// SPDX-License-Identifier: MIT
// Queues whose packets are seen at the doorbell.
#include "capture/queue/doorbells.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/thread_state.h"
#include "capture/queue/submission_watcher.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::TracedHsa;

// A tool that does something in the middle of a submission, once.
class Interrupter final : public SubmissionWatcher {
 public:
  std::function<void()> next;
  uint32_t KernelSubmitted(const DispatchRecord&, const QueueIdentity&) override {
    if (next) std::exchange(next, nullptr)();
    return 1;
  }
  bool EndsAnywhere(uint32_t) const override { return true; }
  void KernelEnded(uint32_t, const DispatchRecord&, const QueueIdentity&) override {}
  uint32_t CopySubmitted(const CopyRecord&) override { return 0; }
  void CopyEnded(uint32_t, const CopyRecord&) override {}
  void Lost(uint32_t) override {}
  void PacketsReserved(uint64_t, uint64_t) override {}
  void PacketShown(uint64_t) override {}
};

class DoorbellTest : public ::testing::Test {
 protected:
  void Start(FakeHsa::Gpu gpu = FakeHsa::Gpu::kAtOnce, Mode mode = Mode::kFull) {
    t_ = std::make_unique<TracedHsa>(support::kRocm72, gpu);
    t_->options.mode = mode;
    t_->options.queues = QueueMethod::kDoorbell;
    t_->options.watcher = &tool_;
    t_->options.heartbeat = [](void* looks) { ++*static_cast<std::atomic<uint64_t>*>(looks); };
    t_->options.heartbeat_data = &looks_;
    ASSERT_TRUE(t_->Install().ok());
    queue_ = t_->hsa.CreateQueue(256);
  }
  void Write(uint64_t index, const AqlPacket& packet) { t_->hsa.WriteAt(queue_, index, packet); }
  void Ring(uint64_t index) { t_->hsa.Ring(queue_, index); }
  void Launch(uint64_t index, const AqlPacket& packet) {
    Write(index, packet);
    Ring(index);
  }
  void Finish() {
    t_->hsa.CompleteAll();
    t_->capture.Stop();
    EXPECT_TRUE(t_->Conserved());
    EXPECT_EQ(t_->hsa.bad_uses(), 0u);
    EXPECT_EQ(t_->hsa.unwritten(), 0u);
    EXPECT_EQ(t_->hsa.overflows(), 0u);
  }

  // Waits until the worker has begun and ended a check.
  void AwaitALook() {
    const uint64_t looks = looks_;
    ASSERT_TRUE(support::WaitUntil([&] { return looks_ >= looks + 2; }));
  }

  std::atomic<uint64_t> looks_{0};
  Interrupter tool_;
  std::unique_ptr<TracedHsa> t_;
  hsa_queue_t* queue_ = nullptr;
};

TEST_F(DoorbellTest, GivesTheApplicationTheRuntimesOwnQueue) {
  Start();
  EXPECT_FALSE(FakeHsa::Intercepted(queue_));
  EXPECT_TRUE(FakeHsa::Profiling(queue_));
  Finish();
}

TEST_F(DoorbellTest, ChangesNothingButTheSignal) {
  Start();
  const AqlPacket kernel = FakeHsa::Kernel(7);
  Launch(0, kernel);
  const auto history = t_->hsa.History(queue_);
  ASSERT_EQ(history.size(), 1u);
  EXPECT_EQ(memcmp(&history[0], &kernel, 56), 0);
  EXPECT_NE(history[0].dispatch.completion_signal.handle, 0u);
  Finish();
  EXPECT_EQ(t_->sink.recorded(), 1u);
}

TEST_F(DoorbellTest, RecordsABatchLongerThanAnyBufferAcrossTheRingsEnd) {
  Start();
  for (uint64_t i = 0; i < 200; ++i) Launch(i, FakeHsa::Kernel(64));
  for (uint64_t i = 200; i < 450; ++i) Write(i, FakeHsa::Kernel(64 * i));
  Ring(449);
  EXPECT_EQ(t_->hsa.History(queue_).size(), 450u);
  Finish();
  EXPECT_EQ(t_->sink.recorded(), 450u);
}

TEST_F(DoorbellTest, KeepsTheApplicationsSignalOnItsPacket) {
  Start();
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  Launch(0, FakeHsa::Kernel(64, done));
  EXPECT_EQ(t_->hsa.History(queue_)[0].dispatch.completion_signal.handle, done.handle);
  EXPECT_EQ(FakeHsa::Value(done), 0);
  Finish();
  EXPECT_EQ(t_->sink.recorded(), 1u);
}

TEST_F(DoorbellTest, RingsOnlyForWrittenPackets) {
  Start();
  Write(1, FakeHsa::Kernel(64));
  Ring(1);  // the producer of packet 0 is late
  EXPECT_EQ(t_->hsa.History(queue_).size(), 0u);
  Write(0, FakeHsa::Kernel(128));
  EXPECT_EQ(t_->hsa.History(queue_).size(), 0u) << "the device saw it before the hook";
  Ring(0);
  EXPECT_EQ(t_->hsa.History(queue_).size(), 2u);
  Finish();
  EXPECT_EQ(t_->sink.recorded(), 2u);
}

TEST_F(DoorbellTest, ShowsPacketsForWhichAToolRingsWithinTheHook) {
  Start();
  hsa_queue_t* const other = t_->hsa.CreateQueue(256);
  tool_.next = [&] {
    Launch(1, FakeHsa::Kernel(64));
    t_->hsa.WriteAt(other, 0, FakeHsa::Kernel(64));
    t_->hsa.Ring(other, 0);
  };
  Launch(0, FakeHsa::Kernel(64));
  EXPECT_EQ(t_->hsa.History(queue_).size(), 2u);
  EXPECT_EQ(t_->hsa.History(other).size(), 1u);
  Finish();
  EXPECT_EQ(t_->sink.recorded(), 3u);
}

// A tool's callback calls exit: the runtime's exit handlers wait for the queue and destroy it.
TEST_F(DoorbellTest, LetsAllPacketsGoWhenAToolEndsTheProcessWithinTheHook) {
  const auto run = [&] {
    Start();
    tool_.next = [&] {
      t_->capture.NoteExit();
      Launch(1, FakeHsa::Kernel(64));
      const bool gone = t_->hsa.History(queue_).size() == 2;
      t_->hsa.DestroyQueue(queue_);
      _exit(gone && t_->sink.loss(Loss::kShutdown) == 1 ? 7 : 1);
    };
    Launch(0, FakeHsa::Kernel(64));
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(7), "");
}

// A device may read the ring before the doorbell rings.
TEST_F(DoorbellTest, ContinuesAfterPacketsThatTheDeviceTookUnrung) {
  Start();
  Launch(0, FakeHsa::Kernel(64));
  Write(1, FakeHsa::Kernel(64));
  Write(2, FakeHsa::Kernel(64));
  t_->hsa.TakeUnrung(queue_, 2);
  Ring(1);
  Ring(2);
  for (uint64_t i = 3; i < 600; ++i) Launch(i, FakeHsa::Kernel(64));
  EXPECT_EQ(t_->hsa.History(queue_).size(), 600u);
  Finish();
  EXPECT_EQ(t_->sink.recorded(), 598u);
  EXPECT_EQ(t_->sink.loss(Loss::kTakenEarly), 2u);
}

TEST_F(DoorbellTest, DoesNotMistakeAPacketOfTheNextLapForOneTakenUnrung) {
  Start();
  Write(0, FakeHsa::Kernel(64));
  t_->hsa.TakeUnrung(queue_, 0);
  for (uint64_t i = 1; i <= 256; ++i) {
    Write(i, FakeHsa::Kernel(64));
    t_->hsa.TakeUnrung(queue_, i - 1);
  }
  Ring(256);  // the first producer has not rung yet, but its packet's slot is reused
  EXPECT_EQ(t_->hsa.History(queue_).size(), 257u);
  Ring(0);
  Finish();
  EXPECT_EQ(t_->sink.recorded(), 1u);
  EXPECT_EQ(t_->sink.loss(Loss::kTakenEarly), 256u);
}

TEST_F(DoorbellTest, LimitsTheTimeThatARingIsHeldBack) {
  Start();
  Write(1, FakeHsa::Kernel(64));
  Ring(1);
  EXPECT_EQ(t_->hsa.History(queue_).size(), 0u);
  // The producer of packet 0 does not return.
  EXPECT_TRUE(support::WaitUntil([&] { return t_->hsa.unwritten() == 1; }));
  Write(0, FakeHsa::Kernel(64));
  t_->hsa.TakeUnrung(queue_, 1);
  t_->capture.Stop();
  EXPECT_TRUE(t_->Conserved());
  EXPECT_EQ(t_->sink.recorded(), 1u);
  EXPECT_EQ(t_->sink.loss(Loss::kNotWritten), 1u);
}

// Stops this process, as a debugger or a suspended machine does.
void StandStill(int milliseconds) {
  const pid_t self = getpid();
  const pid_t waker = fork();
  if (waker == 0) {
    const timespec nap = {milliseconds / 1000, milliseconds % 1000 * 1'000'000L};
    (void)nanosleep(&nap, nullptr);
    (void)kill(self, SIGCONT);
    _exit(0);
  }
  ASSERT_GT(waker, 0);
  (void)raise(SIGSTOP);
  (void)waitpid(waker, nullptr, 0);
}

TEST_F(DoorbellTest, DoesNotCountTheTimeOfAStoppedProcessAgainstAProducer) {
  Start();
  Write(1, FakeHsa::Kernel(64));
  Ring(1);
  StandStill(Doorbells::kHoldNs / 1'000'000 + 300);
  AwaitALook();
  EXPECT_EQ(t_->hsa.unwritten(), 0u);
  Launch(0, FakeHsa::Kernel(128));
  Finish();
  EXPECT_EQ(t_->sink.recorded(), 2u);
  EXPECT_EQ(t_->sink.loss(Loss::kNotWritten), 0u);
}

TEST_F(DoorbellTest, ChargesTheWorkersRingToTheThreadThatRangLast) {
  Start();
  Write(1, FakeHsa::Kernel(64));
  Ring(1);
  Write(0, FakeHsa::Kernel(64));  // its producer dies before it rings
  EXPECT_TRUE(support::WaitUntil([&] { return t_->hsa.History(queue_).size() == 2; }));
  Finish();
  const auto records = t_->sink.dispatches();
  ASSERT_EQ(records.size(), 2u);
  for (const DispatchRecord& record : records) EXPECT_EQ(record.head.thread, ThreadId::Current());
}

TEST_F(DoorbellTest, ReleasesHeldRingsWhenTracingEnds) {
  Start();
  Write(1, FakeHsa::Kernel(64));
  Ring(1);
  t_->capture.Stop();
  EXPECT_EQ(t_->hsa.unwritten(), 1u) << "the doorbell was not rung for packet 1";
  EXPECT_TRUE(t_->Conserved());
}

TEST_F(DoorbellTest, RecordsBatchesInEveryMode) {
  Start(FakeHsa::Gpu::kAtOnce, Mode::kStandard);
  Launch(0, FakeHsa::Kernel(64));
  Write(1, FakeHsa::Kernel(64));
  Write(2, FakeHsa::Kernel(64));
  Ring(2);
  const auto history = t_->hsa.History(queue_);
  ASSERT_EQ(history.size(), 3u);
  Finish();
  EXPECT_EQ(t_->sink.recorded(), 3u);
}

TEST_F(DoorbellTest, PassesOtherStoresThrough) {
  Start();
  const hsa_signal_t signal = t_->hsa.CreateSignal(5);
  t_->hsa.Store(signal, 9);
  EXPECT_EQ(FakeHsa::Value(signal), 9);
  Finish();
}

TEST_F(DoorbellTest, PassesPacketsThroughAfterStop) {
  Start();
  t_->capture.Stop();
  const AqlPacket kernel = FakeHsa::Kernel(7);
  Launch(0, kernel);
  const auto history = t_->hsa.History(queue_);
  ASSERT_EQ(history.size(), 1u);
  EXPECT_EQ(memcmp(&history[0], &kernel, 64), 0);
}

TEST_F(DoorbellTest, KeepsTheQueueWhenTheRuntimeCannotDestroyIt) {
  Start();
  t_->hsa.FailNth(HsaSlot::queue_destroy, 1, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  EXPECT_EQ(t_->hsa.DestroyQueue(queue_), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  Launch(0, FakeHsa::Kernel(64));
  EXPECT_EQ(t_->hsa.DestroyQueue(queue_), HSA_STATUS_SUCCESS);
  Finish();
  EXPECT_EQ(t_->Submitted(), 1u);
}

TEST_F(DoorbellTest, ChecksHeldRingsOfAQueueThatWasNotDestroyed) {
  Start();
  Write(1, FakeHsa::Kernel(64));
  Ring(1);
  t_->hsa.FailNth(HsaSlot::queue_destroy, 1, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  EXPECT_EQ(t_->hsa.DestroyQueue(queue_), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  Write(0, FakeHsa::Kernel(64));  // its producer dies before it rings
  EXPECT_TRUE(support::WaitUntil([&] { return t_->hsa.History(queue_).size() == 2; }));
  Finish();
  EXPECT_EQ(t_->sink.recorded(), 2u);
}

TEST_F(DoorbellTest, SupportsManyQueuesOneAfterTheOther) {
  Start();
  for (int i = 0; i < 3000; ++i) {
    hsa_queue_t* const queue = t_->hsa.CreateQueue(16);
    t_->hsa.WriteAt(queue, 0, FakeHsa::Kernel(64));
    t_->hsa.Ring(queue, 0);
    ASSERT_EQ(t_->hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  }
  Finish();
  EXPECT_EQ(t_->Submitted(), 3000u);
}

// Producers reserve an index each, write, and ring in any order.
TEST_F(DoorbellTest, SupportsSeveralProducersOnAQueue) {
  Start(FakeHsa::Gpu::kAtOnce);
  hsa_queue_t* const queue = t_->hsa.CreateQueue(4096);
  constexpr uint64_t kPackets = 4000;
  std::atomic<uint64_t> next{0};
  std::vector<std::thread> producers;
  for (int i = 0; i < 4; ++i) {
    producers.emplace_back([&] {
      for (uint64_t index = next++; index < kPackets; index = next++) {
        t_->hsa.WriteAt(queue, index, FakeHsa::Kernel(64));
        t_->hsa.Ring(queue, index);
      }
    });
  }
  for (std::thread& producer : producers) producer.join();
  EXPECT_EQ(t_->hsa.History(queue).size(), kPackets);
  Finish();
  EXPECT_EQ(t_->sink.recorded(), kPackets);
}

}  // namespace
}  // namespace rtl::capture
