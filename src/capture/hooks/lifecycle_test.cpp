// SPDX-License-Identifier: MIT
// How a trace ends: with kernels that never end, with queues that are destroyed with work in
// flight, and when a call of the runtime fails.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "capture/hooks/hsa_capture.h"
#include "tests/support/held_worker.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::TracedHsa;
using support::WaitUntil;

TEST(Stop, ReturnsWithinItsBudgetWhenAKernelNeverEnds) {
  TracedHsa t;
  t.options.exit_budget_ns = 20'000'000;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  t.hsa.Submit(queue, FakeHsa::Kernel(1));
  t.hsa.Submit(queue, FakeHsa::Kernel(2));
  (void)t.hsa.Complete(queue, 1);
  t.capture.Stop();
  EXPECT_EQ(t.sink.recorded(), 1u);
  EXPECT_EQ(t.sink.loss(Loss::kShutdown), 1u);
  EXPECT_TRUE(t.Conserved());
  t.capture.Unload();
  t.hsa.CompleteAll();
  EXPECT_EQ(t.hsa.bad_uses(), 0u) << "a signal that the GPU may still write was destroyed";
}

TEST(Stop, RecordsEndedKernelsBehindManyThatNeverEnd) {
  TracedHsa t;
  t.options.exit_budget_ns = 20'000'000;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  for (int i = 0; i < 300; ++i) t.hsa.Submit(queue, FakeHsa::Kernel(1));
  for (int i = 0; i < 50; ++i) t.hsa.CompleteAt(queue, 250);
  t.capture.Stop();
  EXPECT_EQ(t.sink.recorded(), 50u);
  EXPECT_EQ(t.sink.loss(Loss::kShutdown), 250u);
  EXPECT_TRUE(t.Conserved());
  t.hsa.CompleteAll();
}

TEST(Stop, RecordsKernelsThatEndWithinTheBudget) {
  TracedHsa t;
  t.options.exit_budget_ns = 10'000'000'000;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  for (int i = 0; i < 1000; ++i) {
    t.hsa.Submit(queue, FakeHsa::Kernel(1));
  }
  std::thread gpu([&] {
    while (t.hsa.Complete(queue, 7) != 0) {
      std::this_thread::yield();
    }
  });
  t.capture.Stop();
  gpu.join();
  EXPECT_EQ(t.sink.recorded(), 1000u);
  EXPECT_EQ(t.sink.lost(), 0u);
}

TEST(Stop, CompletesTheApplicationsSignalOfALateKernel) {
  TracedHsa t;
  t.options.exit_budget_ns = 1'000'000;
  t.options.app_signals = AppSignals::kForward;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  t.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
  t.capture.Stop();
  EXPECT_EQ(t.sink.loss(Loss::kShutdown), 1u);
  EXPECT_EQ(FakeHsa::Value(signal), 1);
  t.hsa.CompleteAll();
  EXPECT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 0; }));
  EXPECT_EQ(t.sink.dispatch_count(), 0u);
  EXPECT_TRUE(t.Conserved());
}

TEST(Stop, IsIdempotentAndUnloadEndsTheWorkerDespitePendingSignals) {
  TracedHsa t;
  t.options.exit_budget_ns = 1'000'000;
  t.options.app_signals = AppSignals::kForward;
  ASSERT_TRUE(t.Install().ok());
  t.hsa.Submit(t.hsa.CreateQueue(), FakeHsa::Kernel(1, t.hsa.CreateSignal(1)));
  t.capture.Stop();
  t.capture.Stop();
  t.capture.Unload();
  t.capture.Unload();
  EXPECT_TRUE(t.Conserved());
}

TEST(Stop, HappensAtTheLastShutDownOfTheRuntimeOnly) {
  TracedHsa t(support::kRocm72, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  EXPECT_EQ(t.hsa.Init(), HSA_STATUS_SUCCESS);  // a library uses the runtime beside the program
  EXPECT_EQ(t.hsa.ShutDown(), HSA_STATUS_SUCCESS);
  for (int i = 0; i < 1000; ++i) {
    t.hsa.Submit(queue, FakeHsa::Kernel(1));
  }
  EXPECT_EQ(t.hsa.ShutDown(), HSA_STATUS_SUCCESS);
  EXPECT_EQ(t.sink.recorded(), 1000u);
  EXPECT_EQ(t.sink.lost(), 0u);
  t.capture.Unload();
  EXPECT_TRUE(t.Conserved());
}

TEST(QueueDestroy, RecordsEndedKernelsAndCountsTheOthers) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  for (int i = 0; i < 10; ++i) {
    t.hsa.Submit(queue, FakeHsa::Kernel(1));
  }
  (void)t.hsa.Complete(queue, 6);
  EXPECT_EQ(t.hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  ASSERT_TRUE(WaitUntil([&] { return t.sink.queue_ends().size() == 1; }));
  EXPECT_EQ(t.sink.recorded(), 6u);
  EXPECT_EQ(t.sink.loss(Loss::kQueueDestroyed), 4u);
  EXPECT_EQ(t.sink.queue_ends()[0].submitted, 10u);
  EXPECT_NE(t.sink.queue_ends()[0].destroyed, 0u);
  t.capture.Stop();
  EXPECT_TRUE(t.Conserved());
  EXPECT_EQ(t.hsa.live_signals(), 0u);
  EXPECT_EQ(t.queues_created, 1u);
  EXPECT_EQ(t.queues_destroyed, 1u);
}

TEST(QueueDestroy, CountsItsPendingKernelsThoughTheTraceEndsAtOnce) {
  support::HeldWorker worker;
  TracedHsa t;
  worker.In(&t.options);
  t.options.exit_budget_ns = 0;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  hsa_queue_t* const other = t.hsa.CreateQueue();
  worker.Set(true);
  for (int i = 0; i < 4; ++i) t.hsa.Submit(queue, FakeHsa::Kernel(1));
  t.hsa.Submit(other, FakeHsa::Kernel(1));
  EXPECT_EQ(t.hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  worker.Set(false);
  t.capture.Stop();
  EXPECT_EQ(t.sink.loss(Loss::kQueueDestroyed), 4u);
  EXPECT_EQ(t.sink.loss(Loss::kShutdown), 1u);
  EXPECT_TRUE(t.Conserved());
}

TEST(QueueDestroy, ReusesItsMemoryAndCounterForALaterQueue) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  for (size_t i = 1; i <= 50; ++i) {
    hsa_queue_t* const queue = t.hsa.CreateQueue();
    t.hsa.Submit(queue, FakeHsa::Kernel(1));
    ASSERT_EQ(t.hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
    ASSERT_TRUE(WaitUntil([&] { return t.sink.queue_ends().size() == i; }));
  }
  t.capture.Stop();
  // The tracer's object for a queue becomes free a moment after the end of the queue was written,
  // so that the next queue may need a second object.
  EXPECT_EQ(t.slots_[0].submitted + t.slots_[1].submitted, 50u) << "two objects, two slots";
  const QueueCounter& last = t.slots_[t.slots_[0].queue == 50 ? 0 : 1];
  EXPECT_EQ(last.queue, 50u) << "a counter names its queue";
  EXPECT_EQ(last.before, last.submitted - 1);
  std::vector<uint32_t> numbers;
  for (const QueueEndRecord& end : t.sink.queue_ends()) {
    EXPECT_EQ(end.submitted, 1u);
    numbers.push_back(end.queue);
  }
  EXPECT_EQ(numbers.front(), 1u);
  EXPECT_EQ(numbers.back(), 50u);
  EXPECT_TRUE(t.Conserved());
}

// With more kernels at once than available signals, the hook fetches some signals itself. The queue
// returns those that are left.
TEST(QueueDestroy, ReturnsTheSignalsThatItsHookFetchedOnce) {
  support::HeldWorker worker;
  TracedHsa t;
  worker.In(&t.options);
  ASSERT_TRUE(t.Install().ok());
  for (size_t i = 1; i <= 4; ++i) {
    hsa_queue_t* const queue = t.hsa.CreateQueue();
    worker.Set(true);
    for (int k = 0; k < 20; ++k) t.hsa.Submit(queue, FakeHsa::Kernel(1));
    (void)t.hsa.Complete(queue, 20);
    ASSERT_EQ(t.hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
    worker.Set(false);
    ASSERT_TRUE(WaitUntil([&] { return t.sink.queue_ends().size() == i; }));
  }
  t.capture.Stop();
  EXPECT_EQ(t.sink.recorded(), 80u);
  EXPECT_EQ(t.hsa.live_signals(), 0u);
  EXPECT_EQ(t.signals_created, t.signals_destroyed);
  EXPECT_EQ(t.hsa.bad_uses(), 0u);
  EXPECT_TRUE(t.Conserved());
}

TEST(QueueDestroy, KeepsTracingTheQueueWhenTheRuntimeFails) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  t.hsa.FailNth(HsaSlot::queue_destroy, 1, HSA_STATUS_ERROR_INVALID_QUEUE);
  EXPECT_EQ(t.hsa.DestroyQueue(queue), HSA_STATUS_ERROR_INVALID_QUEUE);
  t.hsa.Submit(queue, FakeHsa::Kernel(1));
  EXPECT_TRUE(t.WaitForRecords(1));
  EXPECT_EQ(t.hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  EXPECT_EQ(t.hsa.DestroyQueue(nullptr), HSA_STATUS_ERROR_INVALID_QUEUE);
}

TEST(Fork, PassesThroughInTheChildAndContinuesInTheParent) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  t.hsa.Submit(queue, FakeHsa::Kernel(1));
  const pid_t child = fork();
  if (child == 0) {
    t.capture.DisarmInChild();
    t.hsa.Submit(queue, FakeHsa::Kernel(2));
    const bool untouched = t.hsa.History(queue)[1].dispatch.completion_signal.handle == 0;
    const bool plain = !FakeHsa::Intercepted(t.hsa.CreateQueue());
    const bool destroyed = t.hsa.DestroyQueue(queue) == HSA_STATUS_SUCCESS;
    t.capture.Stop();
    t.capture.Unload();
    const bool counted = t.Submitted() == 2 && t.sink.loss(Loss::kForked) == 1;
    _exit(untouched && plain && destroyed && counted ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  t.hsa.Submit(queue, FakeHsa::Kernel(3));
  t.capture.Stop();
  EXPECT_EQ(t.sink.recorded(), 2u);
}

// The required result of a failing call: a queue that works untraced, and a sentence with the
// reason.
void ExpectUntracedQueue(HsaSlot failing, const support::TableLayout& layout) {
  TracedHsa t(layout, FakeHsa::Gpu::kAtOnce);
  t.options.first_signals = 0;
  ASSERT_TRUE(t.Install().ok());
  t.hsa.FailAll(failing);
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  t.hsa.FailNone(failing);
  ASSERT_NE(queue, nullptr);
  EXPECT_FALSE(FakeHsa::Intercepted(queue));
  EXPECT_EQ(t.hsa.live_queues(), 1u);
  const AqlPacket packet = FakeHsa::Kernel(1);
  t.hsa.Submit(queue, packet);
  EXPECT_EQ(t.hsa.History(queue).size(), 1u);
  const auto warnings = t.sink.warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("is not traced: "), std::string::npos) << warnings[0];
  EXPECT_EQ(t.hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  // The next one is traced again.
  t.hsa.Submit(t.hsa.CreateQueue(), FakeHsa::Kernel(1));
  EXPECT_TRUE(t.WaitForRecords(1));
  t.capture.Stop();
  EXPECT_TRUE(t.Conserved());
}

TEST(QueueCreate, IsUntracedWhenTheRuntimeRefusesAnInterceptQueue) {
  ExpectUntracedQueue(HsaSlot::amd_queue_intercept_create, support::kRocm61);
}
TEST(QueueCreate, IsUntracedWhenProfilingCannotBeEnabled) {
  ExpectUntracedQueue(HsaSlot::amd_profiling_set_profiler_enabled, support::kRocm61);
}
TEST(QueueCreate, IsUntracedWhenTheHookCannotBeRegistered) {
  ExpectUntracedQueue(HsaSlot::amd_queue_intercept_register, support::kRocm61);
}
TEST(QueueCreate, IsUntracedWhenItsRingCannotBeGuarded) {
  ExpectUntracedQueue(HsaSlot::amd_signal_create, support::kRocm52);
  ExpectUntracedQueue(HsaSlot::amd_signal_create, support::kRocm72);
}

TEST(QueueCreate, ReturnsTheRuntimesErrorWhenTheQueueCannotBeCreated) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  t.hsa.FailAll(HsaSlot::amd_queue_intercept_create, HSA_STATUS_ERROR_INVALID_AGENT);
  t.hsa.FailAll(HsaSlot::queue_create, HSA_STATUS_ERROR_INVALID_AGENT);
  hsa_queue_t* queue = nullptr;
  EXPECT_EQ(t.hsa.TryCreateQueue(64, &queue), HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_TRUE(t.sink.warnings().empty());
}

TEST(Install, PutsNothingIntoTheTableWhenItFails) {
  TracedHsa t;
  void* const create = t.hsa.Slot(HsaSlot::queue_create);
  t.hsa.FailAll(HsaSlot::iterate_agents);
  const Status status = t.Install();
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find("hsa_iterate_agents"), std::string::npos);
  EXPECT_EQ(t.hsa.Slot(HsaSlot::queue_create), create);
  t.hsa.FailNone(HsaSlot::iterate_agents);
  EXPECT_TRUE(t.Install().ok());
}

TEST(Losses, NamesAFullSpool) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  t.sink.SetFull(true);
  t.hsa.Submit(queue, FakeHsa::Kernel(1));
  t.capture.Stop();
  EXPECT_EQ(t.sink.loss(Loss::kSpoolFull), 1u);
  EXPECT_TRUE(t.Conserved());
}

TEST(Losses, NamesAKernelWithoutTimes) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  t.hsa.WriteTimes(false);
  t.hsa.Submit(queue, FakeHsa::Kernel(1));
  t.hsa.Submit(queue, FakeHsa::Kernel(1, t.hsa.CreateSignal(1)));
  t.capture.Stop();
  EXPECT_EQ(t.sink.loss(Loss::kBadTimestamps), 2u);
  EXPECT_TRUE(t.Conserved());
}

TEST(Losses, NamesAKernelThatEndedBeforeItBegan) {
  TracedHsa t;
  t.hsa.WriteTimes(false);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  t.hsa.Submit(queue, FakeHsa::Kernel(1));
  StoreTimes(t.hsa.History(queue)[0].dispatch.completion_signal, {2000, 1000});
  EXPECT_EQ(t.hsa.Complete(queue, 1), 1u);
  t.capture.Stop();
  EXPECT_EQ(t.sink.loss(Loss::kBadTimestamps), 1u);
  EXPECT_EQ(t.sink.dispatch_count(), 0u);
  EXPECT_TRUE(t.Conserved());
}

// The queue's read index also shows packets that the device took and the hook has not seen.
TEST(Losses, NamesPacketsThatTheHookMissedWhenTheTraceEnds) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  (void)t.hsa.Reserve(queue, 2);
  t.hsa.Submit(queue, FakeHsa::Kernel(1));
  t.hsa.Submit(queue, FakeHsa::Barrier());
  t.hsa.Swallow(queue, 3);
  t.capture.Stop();
  EXPECT_EQ(t.sink.recorded(), 1u);
  EXPECT_EQ(t.sink.loss(Loss::kTakenEarly), 3u);
  EXPECT_TRUE(t.Conserved());
}

// The device may take a packet after the doorbell and before the hook reads it.
TEST(Losses, NamesAPacketThatVanishedBeforeTheHookReadIt) {
  AqlPacket vanished = FakeHsa::Kernel(1);
  vanished.header = HSA_PACKET_TYPE_INVALID;
  for (const Mode mode : {Mode::kFull, Mode::kStandard}) {
    TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
    t.options.mode = mode;
    ASSERT_TRUE(t.Install().ok());
    hsa_queue_t* const queue = t.hsa.CreateQueue();
    (void)t.hsa.Reserve(queue, 4);
    t.hsa.Submit(queue, vanished);
    t.hsa.SubmitBatch(queue, {FakeHsa::Kernel(1), vanished, FakeHsa::Barrier()});
    t.capture.Stop();
    EXPECT_EQ(t.sink.loss(Loss::kTakenEarly), 2u);
    EXPECT_EQ(t.sink.recorded() + t.sink.loss(Loss::kBatch), 1u);
    EXPECT_TRUE(t.Conserved());
  }
}

TEST(Losses, NamesPacketsThatTheHookMissedWhenTheQueueIsDestroyed) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  for (int i = 0; i < 3; ++i) {  // the tracer reuses its object for the queue
    hsa_queue_t* const queue = t.hsa.CreateQueue();
    (void)t.hsa.Reserve(queue, 3);
    t.hsa.Submit(queue, FakeHsa::Kernel(1));
    t.hsa.SubmitBatch(queue, {FakeHsa::Kernel(1), FakeHsa::Barrier()});
    t.hsa.Swallow(queue, 1);
    ASSERT_EQ(t.hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  }
  t.capture.Stop();
  EXPECT_EQ(t.sink.loss(Loss::kTakenEarly), 3u);
  EXPECT_TRUE(t.Conserved());
}

// The program sets the write index: it may reserve packets and not write them, or store any value.
TEST(Losses, CountsNoPacketThatWasNeverWritten) {
  for (const uint64_t index : {uint64_t{0}, uint64_t{1}, uint64_t{4711}, UINT64_MAX}) {
    TracedHsa t(support::kRocm72, FakeHsa::Gpu::kAtOnce);
    t.options.queues = QueueMethod::kDoorbell;
    ASSERT_TRUE(t.Install().ok());
    hsa_queue_t* const destroyed = t.hsa.CreateQueue();
    hsa_queue_t* const kept = t.hsa.CreateQueue();
    for (hsa_queue_t* const queue : {destroyed, kept}) {
      for (uint64_t i = 0; i < 2; ++i) {
        t.hsa.WriteAt(queue, i, FakeHsa::Kernel(1));
        t.hsa.Ring(queue, i);
      }
      t.hsa.SetWriteIndex(queue, index);
    }
    ASSERT_EQ(t.hsa.DestroyQueue(destroyed), HSA_STATUS_SUCCESS);
    t.capture.Stop();
    EXPECT_EQ(t.sink.recorded(), 4u) << index;
    EXPECT_EQ(t.sink.loss(Loss::kNotRung), 0u) << index;
    EXPECT_TRUE(t.Conserved());
  }
}

TEST(Losses, NamesKernelsThatWereWrittenAndNeverRung) {
  TracedHsa t(support::kRocm72, FakeHsa::Gpu::kAtOnce);
  t.options.queues = QueueMethod::kDoorbell;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  (void)t.hsa.Reserve(queue, 4);
  t.hsa.WriteAt(queue, 0, FakeHsa::Kernel(1));
  t.hsa.WriteAt(queue, 1, FakeHsa::Barrier());
  t.hsa.WriteAt(queue, 3, FakeHsa::Kernel(1));
  t.capture.Stop();
  EXPECT_EQ(t.sink.loss(Loss::kNotRung), 2u);
  EXPECT_TRUE(t.Conserved());
}

TEST(Losses, NamesKernelsInFlightBeyondTheBound) {
  TracedHsa t;
  t.options.pending_per_queue = 100;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  for (int i = 0; i < 130; ++i) {
    t.hsa.Submit(queue, FakeHsa::Kernel(1));
  }
  EXPECT_EQ(t.hsa.History(queue)[129].dispatch.completion_signal.handle, 0u);
  t.hsa.CompleteAll();
  t.capture.Stop();
  EXPECT_EQ(t.sink.loss(Loss::kBacklog), 30u);
  EXPECT_EQ(t.sink.recorded(), 100u);
  EXPECT_TRUE(t.Conserved());
}

TEST(Losses, NamesARefusedSignalAndLeavesThePacketUntouched) {
  TracedHsa t;
  t.options.first_signals = 0;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  t.hsa.FailAll(HsaSlot::amd_signal_create);
  t.hsa.Submit(queue, FakeHsa::Kernel(1));
  const hsa_signal_t shared = t.hsa.CreateSignal(2);
  t.hsa.Submit(queue, FakeHsa::Kernel(1, shared));
  t.hsa.CompleteAll();
  EXPECT_EQ(t.hsa.History(queue)[0].dispatch.completion_signal.handle, 0u);
  EXPECT_EQ(FakeHsa::Value(shared), 1) << "completed by the GPU itself";
  t.capture.Stop();
  EXPECT_EQ(t.sink.loss(Loss::kNoSignal), 2u);
  EXPECT_TRUE(t.Conserved());
}

// A hook resumes when the counters are final, and passes its kernel to the worker while the worker
// is still counting the remaining kernels, queue by queue.
void PublishBetweenTwoQueues(int hooked, bool batch) {
  TracedHsa t;
  t.options.mode = Mode::kFull;
  t.options.exit_budget_ns = 1'000'000;
  std::atomic<bool> inside{false}, go_on{false}, done{false};
  t.kernels.on_ask = [&] {
    inside = true;
    EXPECT_TRUE(WaitUntil([&] { return go_on.load(); }));
  };
  t.sink.OnWrite([&](RecordType type) {
    if (type != RecordType::kQueueEnd || go_on.exchange(true)) return;
    EXPECT_TRUE(WaitUntil([&] { return done.load(); }));
  });
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queues[] = {t.hsa.CreateQueue(), t.hsa.CreateQueue()};
  std::thread launch([&] {
    if (batch) {
      t.hsa.SubmitBatch(queues[hooked], {FakeHsa::Kernel(1), FakeHsa::Kernel(1)});
    } else {
      t.hsa.Submit(queues[hooked], FakeHsa::Kernel(1));
    }
    done = true;
  });
  ASSERT_TRUE(WaitUntil([&] { return inside.load(); }));
  t.capture.Stop();
  launch.join();
  const uint64_t kernels = batch ? 2 : 1;
  EXPECT_EQ(t.Submitted(), kernels);
  EXPECT_EQ(t.sink.recorded(), 0u);
  EXPECT_EQ(t.sink.loss(Loss::kShutdown), kernels);
  EXPECT_TRUE(t.Conserved());
}

TEST(Stop, CountsAKernelThatItsHookReportsTooLate) {
  for (const int hooked : {0, 1}) {
    PublishBetweenTwoQueues(hooked, false);
    PublishBetweenTwoQueues(hooked, true);
  }
}

// Runs one small program with the n-th call of one function failing, for every n until no call
// fails.
class EveryFailure : public ::testing::TestWithParam<HsaSlot> {};

TEST_P(EveryFailure, LosesNothingSilently) {
  const HsaSlot slot = GetParam();
  uint64_t calls = 0;
  for (uint64_t n = 1; n == 1 || n <= calls + 1; n += n < 80 ? 1 : 37) {
    TracedHsa t(support::kRocm52, FakeHsa::Gpu::kThread);
    t.hsa.FailNth(slot, n);
    const bool installed = t.Install().ok();
    const hsa_signal_t own = t.hsa.CreateSignal(1);
    const hsa_signal_t shared = t.hsa.CreateSignal(2);
    uint64_t submitted = 0, traced = 0, copies = 0;
    for (int q = 0; q < 3; ++q) {
      hsa_queue_t* const queue = t.hsa.CreateQueue(256);
      if (queue == nullptr) continue;
      const bool is_traced = FakeHsa::Intercepted(queue);
      for (int i = 0; i < 100; ++i) {
        t.hsa.Submit(queue, FakeHsa::Kernel(1));
        ++submitted;
        traced += is_traced ? 1 : 0;
      }
      if (q == 0 && own.handle != 0 && shared.handle != 0) {
        t.hsa.Submit(queue, FakeHsa::Kernel(2, own));
        t.hsa.Submit(queue, FakeHsa::Kernel(3, shared));
        t.hsa.Submit(queue, FakeHsa::Kernel(4, shared));
        traced += is_traced ? 3 : 0;
        ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(own) == 0; })) << n;
        ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(shared) == 0; })) << n;
      }
      if (q == 1) (void)t.hsa.DestroyQueue(queue);
      if (const hsa_signal_t copied = t.hsa.CreateSignal(1); copied.handle != 0) {
        copies += t.hsa.Copy(t.hsa.Agent(0), t.hsa.CpuAgent(), 64, copied) == HSA_STATUS_SUCCESS;
        (void)t.hsa.CompleteCopies();
      }
    }
    t.capture.Unload();
    EXPECT_TRUE(t.Conserved()) << HsaSlotName(slot) << " " << n;
    EXPECT_EQ(t.Submitted(), installed ? traced : 0) << HsaSlotName(slot) << " " << n;
    EXPECT_EQ(t.sink.submitted(EventKind::kCopy), installed ? copies : 0) << HsaSlotName(slot) << n;
    EXPECT_EQ(t.hsa.bad_uses(), 0u) << HsaSlotName(slot) << " " << n;
    EXPECT_EQ(t.hsa.overflows(), 0u);
    calls = t.hsa.Calls(slot);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Hsa, EveryFailure,
    ::testing::Values(HsaSlot::iterate_agents, HsaSlot::queue_create, HsaSlot::queue_destroy,
                      HsaSlot::signal_destroy, HsaSlot::amd_signal_create,
                      HsaSlot::amd_queue_intercept_create, HsaSlot::amd_queue_intercept_register,
                      HsaSlot::amd_profiling_set_profiler_enabled,
                      HsaSlot::amd_profiling_convert_tick_to_system_domain,
                      HsaSlot::amd_profiling_async_copy_enable,
                      HsaSlot::amd_profiling_get_async_copy_time, HsaSlot::amd_memory_async_copy),
    [](const auto& slot) { return std::string(HsaSlotName(slot.param)); });

// A heartbeat prepares for load. A program that ends would wait for that.
TEST(Stop, DoesNotPrepareForLoad) {
  static std::atomic<int> beats;
  // The first heartbeat comes after a while. On a busy machine that time may pass before the
  // capture stops.
  bool none = false;
  for (int attempt = 0; attempt < 20 && !none; ++attempt) {
    beats = 0;
    TracedHsa t;
    t.options.heartbeat = [](void*) { ++beats; };
    ASSERT_TRUE(t.Install().ok());
    t.hsa.Submit(t.hsa.CreateQueue(), FakeHsa::Kernel(1));
    t.capture.Stop();
    EXPECT_TRUE(t.Conserved());
    none = beats == 0;
  }
  EXPECT_TRUE(none);
}

}  // namespace
}  // namespace rtl::capture
