// SPDX-License-Identifier: MIT
// The application's own completion signals: tracing must not change their value, their times, or
// the moment at which they change.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "capture/hooks/hsa_capture.h"
#include "capture/roctx/pause.h"
#include "tests/support/held_worker.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::TracedHsa;
using support::WaitUntil;

TEST(OwnSignal, InPlaceLeavesThePacketAndTheSignalUntouched) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  const AqlPacket packet = FakeHsa::Kernel(1, signal);
  t.hsa.Submit(queue, packet);
  EXPECT_EQ(memcmp(&t.hsa.History(queue)[0], &packet, sizeof(packet)), 0);
  t.hsa.CompleteAll();
  EXPECT_EQ(FakeHsa::Value(signal), 0) << "at once, without the tracer";
  ASSERT_TRUE(t.WaitForRecords(1));
  const DispatchRecord record = t.sink.dispatches()[0];
  EXPECT_EQ(record.start_ticks, FakeHsa::StartOf(signal));
  EXPECT_EQ(record.end_ticks, FakeHsa::EndOf(signal));
  EXPECT_EQ(record.flags & kDispatchFlagOwnSignal, kDispatchFlagOwnSignal);
  EXPECT_EQ(t.hsa.Calls(HsaSlot::signal_subtract_screlease), 0u);
}

TEST(OwnSignal, InPlaceRecordsAThousandUsesOfASignal) {
  // The worker is held, because a kernel whose signal the worker is reading would be forwarded.
  support::HeldWorker worker;
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  worker.In(&t.options);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  worker.Set(true);
  std::vector<uint64_t> ends;
  for (int i = 0; i < 1000; ++i) {
    FakeHsa::SetValue(signal, 1);
    t.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
    ends.push_back(FakeHsa::EndOf(signal));
  }
  EXPECT_EQ(t.hsa.Calls(HsaSlot::signal_subtract_screlease), 0u) << "all of them in place";
  worker.Set(false);
  t.capture.Stop();
  EXPECT_EQ(t.sink.lost(), 0u);
  const auto dispatches = t.sink.DispatchesByPacket();
  ASSERT_EQ(dispatches.size(), 1000u);
  for (size_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(dispatches[i].end_ticks, ends[i]);
  }
}

TEST(OwnSignal, InPlaceRecordsAKernelBeforeABarrierOrCopyOnItsSignal) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  t.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
  const uint64_t first = FakeHsa::EndOf(signal);
  FakeHsa::SetValue(signal, 1);
  t.hsa.Submit(queue, FakeHsa::Barrier(signal));
  FakeHsa::SetValue(signal, 1);
  t.hsa.Submit(queue, FakeHsa::Kernel(2, signal));
  const uint64_t second = FakeHsa::EndOf(signal);
  EXPECT_EQ(t.hsa.AsyncCopy(signal), HSA_STATUS_SUCCESS);
  StoreTimes(signal, {1, 2});
  t.capture.Stop();
  const auto dispatches = t.sink.DispatchesByPacket();
  ASSERT_EQ(dispatches.size(), 2u);
  EXPECT_EQ(dispatches[0].end_ticks, first);
  EXPECT_EQ(dispatches[1].end_ticks, second);
  EXPECT_TRUE(t.Conserved());
}

// A kernel that is not recorded, for any reason, writes its times into the signal of the kernel
// before.
TEST(OwnSignal, InPlaceRecordsAKernelBeforeAnUnrecordedOneOnItsSignal) {
  for (const Loss why : {Loss::kPaused, Loss::kStalled, Loss::kBacklog, Loss::kNoSignal}) {
    support::HeldWorker worker;
    TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
    worker.In(&t.options);
    if (why == Loss::kStalled) t.options.stall_ns = 20'000'000;
    if (why == Loss::kNoSignal) t.options.first_signals = 0;
    if (why == Loss::kBacklog) t.options.pending_per_queue = 100;
    ASSERT_TRUE(t.Install().ok());
    hsa_queue_t* const queue = t.hsa.CreateQueue();
    worker.Set(true);
    const hsa_signal_t signal = t.hsa.CreateSignal(1);
    t.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
    const uint64_t first = FakeHsa::EndOf(signal);

    const auto lost = [&] { return t.sink.loss(why); };
    if (why == Loss::kPaused) {
      ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
    }
    if (why == Loss::kNoSignal) t.hsa.FailAll(HsaSlot::amd_signal_create);
    if (why == Loss::kStalled || why == Loss::kBacklog) {
      ASSERT_TRUE(WaitUntil([&] {
        t.hsa.Submit(queue, FakeHsa::Kernel(2));
        return lost() != 0;
      }));
    }
    const uint64_t before = lost();
    FakeHsa::SetValue(signal, why == Loss::kNoSignal ? 2 : 1);  // 2: not in place
    t.hsa.Submit(queue, FakeHsa::Kernel(3, signal));
    EXPECT_EQ(lost(), before + 1) << LossName(why);
    EXPECT_NE(FakeHsa::EndOf(signal), first);
    Pause::End(Pause::kAllThreads);
    worker.Set(false);
    t.capture.Stop();
    ASSERT_FALSE(t.sink.dispatches().empty());
    EXPECT_EQ(t.sink.dispatches()[0].end_ticks, first) << LossName(why);
    EXPECT_TRUE(t.Conserved());
  }
}

TEST(OwnSignal, InPlaceReadsASignalBeforeItIsDestroyed) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  for (int i = 0; i < 500; ++i) {
    const hsa_signal_t signal = t.hsa.CreateSignal(1);
    t.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
    ASSERT_EQ(t.hsa.DestroySignal(signal), HSA_STATUS_SUCCESS);
  }
  t.capture.Stop();
  EXPECT_EQ(t.sink.recorded(), 500u);
  EXPECT_EQ(t.hsa.bad_uses(), 0u);
}

TEST(OwnSignal, InPlaceNamesTheLossOfASignalDestroyedInFlight) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  t.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
  (void)t.hsa.DestroySignal(signal);
  t.capture.Stop();
  EXPECT_EQ(t.sink.loss(Loss::kSignalReused), 1u);
  EXPECT_TRUE(t.Conserved());
  EXPECT_EQ(t.hsa.bad_uses(), 0u);
}

TEST(OwnSignal, ForwardedDecrementsTheValueAndKeepsTheKernelsTimes) {
  TracedHsa t;
  t.options.app_signals = AppSignals::kForward;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(7);
  t.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
  EXPECT_NE(t.hsa.History(queue)[0].dispatch.completion_signal.handle, signal.handle);
  t.hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 6; }));
  ASSERT_TRUE(t.WaitForRecords(1));
  EXPECT_EQ(FakeHsa::StartOf(signal), t.sink.dispatches()[0].start_ticks);
  EXPECT_EQ(FakeHsa::EndOf(signal), t.sink.dispatches()[0].end_ticks);
  EXPECT_EQ(FakeHsa::Value(signal), 6);
}

// A thread that sees the signal's final value may destroy the signal while the thread that wrote
// the value is still inside the runtime.
TEST(OwnSignal, ForwardedDestroysASignalAfterTheRuntimeHasFinished) {
  TracedHsa t;
  t.options.app_signals = AppSignals::kForward;
  t.hsa.OnSubtracted([] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); });
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  t.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
  t.hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 0; }));
  EXPECT_EQ(t.hsa.DestroySignal(signal), HSA_STATUS_SUCCESS);
  t.capture.Unload();  // its threads have ended
  EXPECT_EQ(t.hsa.bad_uses(), 0u);
}

// Holds the forwarder inside the runtime until the test lets it go.
struct StuckForwarder {
  explicit StuckForwarder(TracedHsa* t) {
    t->options.app_signals = AppSignals::kForward;
    t->hsa.OnSubtracted([this] {
      ++inside;
      EXPECT_TRUE(WaitUntil([this] { return free.load(); }));
    });
  }
  std::atomic<int> inside{0};
  std::atomic<bool> free{false};
};

TEST(OwnSignal, ADestroyReturnsThoughTheRuntimeKeepsTheForwarder) {
  TracedHsa t;
  StuckForwarder forwarder(&t);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  t.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
  t.hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return forwarder.inside == 1; }));
  EXPECT_EQ(t.hsa.DestroySignal(signal), HSA_STATUS_SUCCESS);
  EXPECT_FALSE(forwarder.free);
  forwarder.free = true;
  t.capture.Unload();
}

TEST(OwnSignal, AQueueIsDestroyedThoughTheRuntimeKeepsTheForwarder) {
  TracedHsa t;
  StuckForwarder forwarder(&t);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  t.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
  t.hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return forwarder.inside == 1; }));
  EXPECT_EQ(t.hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  EXPECT_FALSE(forwarder.free);
  forwarder.free = true;
  t.capture.Unload();
}

TEST(OwnSignal, DecrementsASharedSignalOncePerKernel) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const first = t.hsa.CreateQueue();
  hsa_queue_t* const second = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(100);
  for (int i = 0; i < 50; ++i) {
    t.hsa.Submit(first, FakeHsa::Kernel(1, signal));
    t.hsa.Submit(second, FakeHsa::Kernel(2, signal));
  }
  (void)t.hsa.Complete(first, 20);
  EXPECT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 80; }));
  t.hsa.CompleteAll();
  EXPECT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 0; }));
  t.capture.Stop();
  EXPECT_EQ(FakeHsa::Value(signal), 0);
  EXPECT_EQ(t.sink.recorded(), 100u);
}

TEST(OwnSignal, ForwardsTheSecondKernelOnASignalInFlight) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const first = t.hsa.CreateQueue();
  hsa_queue_t* const second = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  t.hsa.Submit(first, FakeHsa::Kernel(1, signal));  // in place
  FakeHsa::SetValue(signal, 2);                     // the application adds another
  t.hsa.Submit(second, FakeHsa::Kernel(2, signal));
  (void)t.hsa.Complete(second, 1);
  ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 1; }));
  EXPECT_EQ(FakeHsa::EndOf(signal), 0u) << "in use by the first kernel";
  (void)t.hsa.Complete(first, 1);
  EXPECT_EQ(FakeHsa::Value(signal), 0);
  t.capture.Stop();
  EXPECT_EQ(t.sink.recorded(), 2u);
  EXPECT_EQ(t.sink.lost(), 0u);
}

TEST(OwnSignal, CompletesASignalWhileAnotherQueueIsStalled) {
  TracedHsa t;
  t.options.app_signals = AppSignals::kForward;
  t.options.exit_budget_ns = 1'000'000;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const held = t.hsa.CreateQueue();
  hsa_queue_t* const free = t.hsa.CreateQueue();
  const hsa_signal_t waiting = t.hsa.CreateSignal(1);
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  t.hsa.Submit(held, FakeHsa::Kernel(1, waiting));
  t.hsa.Submit(free, FakeHsa::Kernel(2, signal));
  (void)t.hsa.Complete(free, 1);
  EXPECT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 0; }));
  EXPECT_EQ(FakeHsa::Value(waiting), 1);
}

TEST(OwnSignal, ForwardsASignalBehindManyKernelsInFlight) {
  TracedHsa t;
  t.options.app_signals = AppSignals::kForward;
  t.options.exit_budget_ns = 1'000'000;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  for (int i = 0; i < 200; ++i) {
    t.hsa.Submit(queue, FakeHsa::Kernel(1));
  }
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  t.hsa.Submit(queue, FakeHsa::Kernel(2, signal));
  t.hsa.CompleteAt(queue, 200);
  EXPECT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 0; }));
}

TEST(OwnSignal, RecordsAllKernelsThatOvertakeEachOther) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  for (int i = 0; i < 10; ++i) {
    t.hsa.Submit(queue, FakeHsa::Kernel(static_cast<uint64_t>(i)));
  }
  t.hsa.CompleteAt(queue, 5);
  ASSERT_TRUE(t.WaitForRecords(1)) << "not delayed by those before it";
  EXPECT_EQ(t.sink.dispatches()[0].kernel, 1005u);
  t.hsa.CompleteAll();
  t.capture.Stop();
  EXPECT_EQ(t.sink.recorded(), 10u);
}

// Several threads, each with its own queue, signals of every kind, and a GPU of its own.
void Storm(const support::TableLayout& layout, AppSignals how) {
  TracedHsa t(layout, FakeHsa::Gpu::kThread);
  t.options.app_signals = how;
  t.options.exit_budget_ns = 30'000'000'000;
  ASSERT_TRUE(t.Install().ok());
  constexpr int kThreads = 4, kKernels = 5000;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int n = 0; n < kThreads; ++n) {
    threads.emplace_back([&, n] {
      hsa_queue_t* queue = t.hsa.CreateQueue(1024, static_cast<uint32_t>(n) % 2);
      const hsa_signal_t own = t.hsa.CreateSignal(1);
      for (int i = 0; i < kKernels; ++i) {
        if (i % 10 != 0) {
          t.hsa.Submit(queue, FakeHsa::Kernel(1));
          continue;
        }
        FakeHsa::SetValue(own, 1);
        t.hsa.Submit(queue, FakeHsa::Kernel(2, own));
        if (!WaitUntil([&] { return FakeHsa::Value(own) <= 0; })) ++wrong;
        if (FakeHsa::Value(own) != 0 || FakeHsa::EndOf(own) == 0) ++wrong;
        if (i % 1000 != 0) continue;
        if (t.hsa.DestroyQueue(queue) != HSA_STATUS_SUCCESS) ++wrong;
        queue = t.hsa.CreateQueue(1024, static_cast<uint32_t>(n) % 2);
      }
      WaitUntil([&] { return t.hsa.InFlight(queue) == 0; });
      if (t.hsa.DestroySignal(own) != HSA_STATUS_SUCCESS) ++wrong;
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  t.capture.Unload();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(t.Submitted(), uint64_t{kThreads} * kKernels);
  EXPECT_EQ(t.sink.lost(), 0u);
  EXPECT_TRUE(t.Conserved());
  EXPECT_EQ(t.hsa.bad_uses(), 0u);
  EXPECT_EQ(t.hsa.overflows(), 0u);
}

TEST(OwnSignal, InPlaceLosesNothingWithManyThreads) {
  Storm(support::kRocm61, AppSignals::kInPlace);
}
TEST(OwnSignal, ForwardedLosesNothingWithManyThreads) {
  Storm(support::kRocm61, AppSignals::kForward);
}
TEST(OwnSignal, FillsNoGuardedRingWithManyThreads) {
  Storm(support::kRocm52, AppSignals::kInPlace);
}

}  // namespace
}  // namespace rtl::capture
