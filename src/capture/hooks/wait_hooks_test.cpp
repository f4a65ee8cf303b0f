// SPDX-License-Identifier: MIT
// Ended work that the application can notice is recorded before the application notices it, while
// the tracer's own thread is stalled.
#include <errno.h>
#include <gtest/gtest.h>
#include <time.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "capture/hip/open_call.h"
#include "capture/hooks/hsa_capture.h"
#include "capture/signal/signal_marks.h"
#include "tests/support/held_worker.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::HeldWorker;
using support::TracedHsa;
using support::WaitUntil;

class WaitHooksTest : public ::testing::Test {
 protected:
  void Start(AppSignals app_signals = AppSignals::kDefault,
             const support::TableLayout& layout = support::kRocm72, Mode mode = Mode::kFull) {
    t_ = std::make_unique<TracedHsa>(layout);
    held_.In(&t_->options);
    t_->options.mode = mode;
    t_->options.queues = QueueMethod::kIntercept;
    t_->options.app_signals = app_signals;
    t_->options.kept_signals = 1024;
    t_->options.note_origins = true;
    ASSERT_TRUE(t_->Install().ok());
    queue_ = t_->hsa.CreateQueue(4096);
    held_.Set(true);
  }
  void TearDown() override {
    held_.Set(false);
    t_->hsa.CompleteAll();
    t_->hsa.CompleteCopies();
    t_->capture.Stop();
    EXPECT_TRUE(t_->Conserved());
    EXPECT_EQ(t_->hsa.bad_uses(), 0u);
  }
  void Kernels(int count) {
    for (int i = 0; i < count; ++i) t_->hsa.Submit(queue_, FakeHsa::Kernel(1));
  }
  size_t Recorded() const { return t_->sink.dispatch_count(); }

  HeldWorker held_;
  std::unique_ptr<TracedHsa> t_;
  hsa_queue_t* queue_ = nullptr;
};

TEST_F(WaitHooksTest, RecordsTheKernelsBeforeABarrier) {
  Start();
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  Kernels(5);
  t_->hsa.Submit(queue_, FakeHsa::Barrier(done));
  EXPECT_EQ(t_->hsa.Load(done), 1);
  EXPECT_EQ(Recorded(), 0u);
  t_->hsa.Complete(queue_, 3);
  EXPECT_EQ(t_->hsa.Load(done), 1);
  EXPECT_EQ(Recorded(), 0u) << "the program does not know yet";
  t_->hsa.CompleteAll();
  EXPECT_EQ(t_->hsa.Load(done), 0);
  EXPECT_EQ(Recorded(), 5u);
}

TEST_F(WaitHooksTest, RecordsForEachWayToLearnOfAnEnd) {
  Start();
  const std::vector<std::function<bool(hsa_signal_t)>> ways = {
      [&](hsa_signal_t s) { return t_->hsa.Load(s) == 0; },
      [&](hsa_signal_t s) { return t_->hsa.Wait(s) == 0; },
      [&](hsa_signal_t s) { return t_->hsa.Exchange(s, 1) == 0; },
      [&](hsa_signal_t s) { return t_->hsa.Swap(s, 0, 1) == 0; },
      [&](hsa_signal_t s) { return t_->hsa.WaitForAny({s}) == 0; },
      [&](hsa_signal_t s) { return t_->hsa.WaitForAll({s}) == 0; },
      [&](hsa_signal_t s) { return t_->hsa.WaitForGroup({s}).handle == s.handle; },
  };
  size_t recorded = 0;
  for (const auto& learns : ways) {
    const hsa_signal_t done = t_->hsa.CreateSignal(1);
    Kernels(1);
    t_->hsa.Submit(queue_, FakeHsa::Kernel(2, done));
    t_->hsa.CompleteAll();
    EXPECT_TRUE(learns(done));
    EXPECT_EQ(Recorded(), recorded += 2) << "way " << &learns - ways.data();
  }
}

TEST_F(WaitHooksTest, RecordsNothingForAWaitThatTimedOut) {
  Start();
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  Kernels(1);
  t_->hsa.Complete(queue_, 1);
  t_->hsa.Submit(queue_, FakeHsa::Kernel(2, done));
  EXPECT_EQ(t_->hsa.Wait(done), 1);
  EXPECT_EQ(Recorded(), 0u);
}

// Before a launch HIP waits for room in the queue. The worker may record later what ended during
// that wait. With AMD_SERIALIZE_KERNEL a launch also waits for its own kernel. Then the program may
// know that the kernel has ended.
TEST_F(WaitHooksTest, LeavesWhatALaunchWaitsForToTheWorker) {
  Start();
  const hsa_signal_t room = t_->hsa.CreateSignal(1);
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  (void)t_->hsa.Reserve(queue_, 3);
  Kernels(2);
  t_->hsa.Submit(queue_, FakeHsa::Barrier(room));
  t_->hsa.CompleteAll();
  ThreadCalls* const calls = OpenCall::MakeCalls();
  ASSERT_NE(calls, nullptr);
  calls->recorded = 7;
  calls->reserved = 0;
  calls->open = calls->launches = true;
  EXPECT_EQ(t_->hsa.Load(room), 0);
  EXPECT_EQ(t_->hsa.Wait(room), 0);
  EXPECT_EQ(t_->hsa.WaitForAny({room}), 0);
  (void)t_->hsa.Reserve(queue_, 1);
  t_->hsa.Submit(queue_, FakeHsa::Barrier(done));
  t_->hsa.CompleteAll();
  EXPECT_EQ(t_->hsa.Wait(done), 0);
  EXPECT_EQ(Recorded(), 0u);
  FakeHsa::SetValue(done, 1);
  (void)t_->hsa.Reserve(queue_, 1);
  t_->hsa.Submit(queue_, FakeHsa::Kernel(3, done));
  t_->hsa.CompleteAll();
  EXPECT_EQ(t_->hsa.Load(done), 0);
  EXPECT_EQ(Recorded(), 3u);
  // A barrier behind the kernel does not belong to HIP's own wait for room.
  FakeHsa::SetValue(done, 1);
  (void)t_->hsa.Reserve(queue_, 2);
  t_->hsa.Submit(queue_, FakeHsa::Kernel(4));
  t_->hsa.Submit(queue_, FakeHsa::Barrier(done));
  t_->hsa.CompleteAll();
  EXPECT_EQ(t_->hsa.Wait(done), 0);
  EXPECT_EQ(Recorded(), 4u);
  calls->open = false;
  calls->recorded = 0;
}

TEST_F(WaitHooksTest, RecordsAfterALaunchWhatItWaitedFor) {
  Start();
  const hsa_signal_t room = t_->hsa.CreateSignal(1);
  Kernels(2);
  t_->hsa.Submit(queue_, FakeHsa::Barrier(room));
  t_->hsa.CompleteAll();
  ThreadCalls* const calls = OpenCall::MakeCalls();
  ASSERT_NE(calls, nullptr);
  calls->reserved = 0;
  calls->open = calls->launches = true;
  EXPECT_EQ(t_->hsa.Load(room), 0);
  EXPECT_EQ(Recorded(), 0u);
  calls->open = false;  // the launch has failed
  EXPECT_EQ(t_->hsa.Load(room), 0);
  EXPECT_EQ(Recorded(), 2u);
}

TEST_F(WaitHooksTest, RecordsBeforeItCallsAHandler) {
  Start();
  struct Seen {
    TracedHsa* t;
    int64_t value = -1;
    size_t recorded = 0;
    int calls = 0;
  } seen = {t_.get()};
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  const auto handler = [](hsa_signal_value_t value, void* data) {
    Seen& here = *static_cast<Seen*>(data);
    here.value = value;
    here.recorded = here.t->sink.dispatch_count();
    return ++here.calls < 2;
  };
  ASSERT_EQ(t_->hsa.Handle(done, handler, &seen), HSA_STATUS_SUCCESS);
  t_->hsa.Submit(queue_, FakeHsa::Kernel(1, done));
  t_->hsa.CompleteAll();
  EXPECT_EQ(t_->hsa.CallHandlers(), 1u);
  EXPECT_EQ(seen.value, 0);
  EXPECT_EQ(seen.recorded, 1u);
  EXPECT_EQ(t_->hsa.CallHandlers(), 1u) << "it requests another call";
  EXPECT_EQ(t_->hsa.CallHandlers(), 0u);
  t_->hsa.FailNth(HsaSlot::amd_signal_async_handler, 1);
  EXPECT_NE(t_->hsa.Handle(done, handler, &seen), HSA_STATUS_SUCCESS);
}

TEST_F(WaitHooksTest, RecordsTheKernelOfAForwardedSignal) {
  Start(AppSignals::kForward);
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  t_->hsa.Submit(queue_, FakeHsa::Kernel(1, done));
  t_->hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(done) == 0; }));
  EXPECT_EQ(t_->hsa.Load(done), 0);
  EXPECT_EQ(Recorded(), 1u);
}

TEST_F(WaitHooksTest, RecordsEachKernelOfASharedSignal) {
  Start();
  const hsa_signal_t done = t_->hsa.CreateSignal(3);
  for (int i = 0; i < 3; ++i) t_->hsa.Submit(queue_, FakeHsa::Kernel(1, done));
  for (int left = 2; left >= 0; --left) {
    t_->hsa.Complete(queue_, 1);
    ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(done) == left; }));
    EXPECT_EQ(t_->hsa.Load(done), left);
    EXPECT_EQ(Recorded(), static_cast<size_t>(3 - left));
  }
}

TEST_F(WaitHooksTest, RecordsAgainForAReusedSignal) {
  Start();
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  for (size_t i = 1; i <= 20; ++i) {
    FakeHsa::SetValue(done, 1);
    t_->hsa.Submit(queue_, FakeHsa::Kernel(1, done));
    t_->hsa.CompleteAll();
    EXPECT_EQ(t_->hsa.Load(done), 0);
    EXPECT_EQ(Recorded(), i);
  }
}

TEST_F(WaitHooksTest, RecordsAKernelThatOvertakesHundreds) {
  Start();
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  const auto any_time = [](AqlPacket packet) {
    packet.header &= static_cast<uint16_t>(~kPacketBarrierBit);
    return packet;
  };
  for (int i = 0; i < 500; ++i) t_->hsa.Submit(queue_, any_time(FakeHsa::Kernel(1)));
  t_->hsa.Submit(queue_, any_time(FakeHsa::Kernel(7, done)));
  t_->hsa.CompleteAt(queue_, 500);
  EXPECT_EQ(t_->hsa.Wait(done), 0);
  ASSERT_EQ(Recorded(), 1u);
  EXPECT_EQ(t_->sink.dispatches()[0].kernel, 1007u);
}

TEST_F(WaitHooksTest, RecordsAThousandEndedKernelsAtOnce) {
  Start();
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  Kernels(1000);
  t_->hsa.Submit(queue_, FakeHsa::Barrier(done));
  t_->hsa.CompleteAll();
  EXPECT_EQ(t_->hsa.Wait(done), 0);
  EXPECT_EQ(Recorded(), 1000u);
}

TEST_F(WaitHooksTest, RecordsKernelsOfOtherQueuesAndOfBatches) {
  Start();
  hsa_queue_t* const other = t_->hsa.CreateQueue();
  t_->hsa.SubmitBatch(other, {FakeHsa::Kernel(1), FakeHsa::Kernel(2), FakeHsa::Barrier()});
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  t_->hsa.SubmitBatch(queue_, {FakeHsa::Kernel(3), FakeHsa::Barrier(done)});
  t_->hsa.CompleteAll();
  EXPECT_EQ(t_->hsa.Load(done), 0);
  EXPECT_EQ(Recorded(), 3u);
}

TEST_F(WaitHooksTest, RecordsForSignalsOfKernelsThatTheModeOmits) {
  Start(AppSignals::kDefault, support::kRocm61, Mode::kLite);
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  Kernels(2);
  t_->hsa.Submit(queue_, FakeHsa::Kernel(3, done));
  t_->hsa.CompleteAll();
  EXPECT_EQ(t_->hsa.Load(done), 0);
  EXPECT_EQ(Recorded(), 2u);
}

TEST_F(WaitHooksTest, RecordsCopies) {
  Start();
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  Kernels(1);
  ASSERT_EQ(t_->hsa.AsyncCopy(done), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteAll();
  t_->hsa.CompleteCopies();
  EXPECT_EQ(t_->hsa.Wait(done), 0);
  EXPECT_EQ(t_->sink.copy_count(), 1u);
  EXPECT_EQ(Recorded(), 1u);
}

// A thread that loads a signal while another one records must not return sooner.
TEST_F(WaitHooksTest, WaitsWhileAnotherThreadRecords) {
  Start();
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  t_->hsa.Submit(queue_, FakeHsa::Kernel(1, done));
  t_->hsa.CompleteAll();
  constexpr int kThreads = 4;
  std::atomic<int> ready{0};
  std::atomic<int> missing{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      ++ready;
      while (ready < kThreads) {
      }
      if (t_->hsa.Load(done) == 0 && Recorded() != 1) ++missing;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(missing, 0);
}

// The kernel has ended before the hook could pass its packet to the tracer.
TEST_F(WaitHooksTest, WaitsForTheHookOfAnEndedKernel) {
  Start(AppSignals::kDefault, support::kRocm61, Mode::kStandard);
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  std::atomic<size_t> recorded{SIZE_MAX};
  std::thread waiter;
  t_->hsa.OnWrite([&] {
    // The device's action when it gets the packet.
    StoreTimes(done, {100, 200});
    FakeHsa::SetValue(done, 0);
    waiter = std::thread([&] {
      (void)t_->hsa.Load(done);
      recorded = Recorded();
    });
    const timespec moment = {0, 2'000'000};
    (void)nanosleep(&moment, nullptr);
    EXPECT_EQ(recorded, SIZE_MAX) << "it has continued without the record";
  });
  t_->hsa.Submit(queue_, FakeHsa::Kernel(1, done));
  t_->hsa.OnWrite(nullptr);
  waiter.join();
  EXPECT_EQ(recorded, 1u);
}

// More signals than the table of marks holds: loads cost more then, and nothing is missed.
TEST_F(WaitHooksTest, RecordsForMoreSignalsThanTheTableHolds) {
  Start();
  std::vector<hsa_signal_t> signals;
  for (uint32_t i = 0; i < SignalMarks::kEntries; ++i) signals.push_back(t_->hsa.CreateSignal(1));
  hsa_queue_t* const queue = t_->hsa.CreateQueue(16'384);
  for (const hsa_signal_t signal : signals) t_->hsa.Submit(queue, FakeHsa::Barrier(signal));
  size_t recorded = 0;
  for (size_t i = 0; i < signals.size(); i += 97) {
    Kernels(1);
    t_->hsa.Complete(queue_, 1);
    FakeHsa::SetValue(signals[i], 0);
    EXPECT_EQ(t_->hsa.Load(signals[i]), 0);
    EXPECT_EQ(Recorded(), ++recorded);
  }
  for (const hsa_signal_t signal : signals) FakeHsa::SetValue(signal, 1);
}

TEST_F(WaitHooksTest, KeepsTheApplicationsErrno) {
  Start();
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  Kernels(1);
  t_->hsa.Submit(queue_, FakeHsa::Barrier(done));
  t_->hsa.CompleteAll();
  errno = EXDEV;
  EXPECT_EQ(t_->hsa.Wait(done), 0);
  EXPECT_EQ(errno, EXDEV);
}

}  // namespace
}  // namespace rtl::capture
