// SPDX-License-Identifier: MIT
// The capture side as a whole, on a fake runtime.
#include "capture/hooks/hsa_capture.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <string.h>

#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::TracedHsa;
using support::WaitUntil;

// Kernel threads of this process with the worker's name.
int WorkerThreads() {
  int count = 0;
  DIR* const tasks = opendir("/proc/self/task");
  while (const dirent* const task = readdir(tasks)) {
    std::ifstream comm(std::string("/proc/self/task/") + task->d_name + "/comm");
    std::string name;
    std::getline(comm, name);
    count += name == "rtl-worker" ? 1 : 0;
  }
  closedir(tasks);
  return count;
}

TEST(HsaCapture, CreatesEveryQueueAsAnInterceptQueueThatWorks) {
  TracedHsa t;
  void* const create = t.hsa.Slot(HsaSlot::queue_create);
  ASSERT_TRUE(t.Install().ok());
  EXPECT_NE(t.hsa.Slot(HsaSlot::queue_create), create);
  for (uint64_t n = 1; n <= 5; ++n) {
    hsa_queue_t* const queue = t.hsa.CreateQueue();
    ASSERT_NE(queue, nullptr);
    EXPECT_TRUE(FakeHsa::Intercepted(queue));
    EXPECT_TRUE(FakeHsa::Profiling(queue));
    EXPECT_EQ(t.hsa.Calls(HsaSlot::amd_queue_intercept_create), n);
    EXPECT_EQ(t.hsa.Calls(HsaSlot::amd_profiling_set_profiler_enabled), n);
    EXPECT_EQ(t.hsa.Calls(HsaSlot::amd_queue_intercept_register), n);
  }
  EXPECT_EQ(t.hsa.Calls(HsaSlot::queue_create), 0u);
  EXPECT_EQ(t.sink.queues().size(), 5u);
}

// Acts as HIP inside a recorded call: reserves a packet in the queue.
uint64_t ReserveInCall(FakeHsa* hsa, hsa_queue_t* queue, uint64_t correlation, uint32_t* thread) {
  uint64_t index = 0;
  std::thread([&] {
    OpenCall::MakeCalls()->recorded = correlation;
    index = hsa->Reserve(queue, 1);
    *thread = ThreadId::Current();
    OpenCall::Calls()->recorded = 0;
  }).join();
  return index;
}

TEST(HsaCapture, LinksAKernelToTheCallThatReservedItsPacket) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  t.options.note_origins = true;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  uint32_t threads[3];
  for (uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(ReserveInCall(&t.hsa, queue, 10 + i, &threads[i]), i);
  }
  // One thread rings the doorbell for all.
  for (uint64_t i = 0; i < 3; ++i) t.hsa.Submit(queue, FakeHsa::Kernel(i));
  ASSERT_TRUE(t.WaitForRecords(3));
  const auto dispatches = t.sink.DispatchesByPacket();
  for (uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(dispatches[i].correlation, 10 + i);
    EXPECT_EQ(dispatches[i].head.thread, threads[i]);
  }
}

TEST(HsaCapture, LinksAKernelWithoutACallToNone) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  t.options.note_origins = true;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  (void)t.hsa.Reserve(queue, 1);
  t.hsa.Submit(queue, FakeHsa::Kernel(1));
  t.hsa.Submit(queue, FakeHsa::Kernel(2));  // without a reservation before
  ASSERT_TRUE(t.WaitForRecords(2));
  for (const DispatchRecord& dispatch : t.sink.dispatches()) {
    EXPECT_EQ(dispatch.correlation, 0u);
    EXPECT_EQ(dispatch.head.thread, ThreadId::Current());
  }
}

TEST(HsaCapture, DoesNotHookTheWriteIndexWhenNoCallsAreRecorded) {
  TracedHsa t;
  void* const add = t.hsa.Slot(HsaSlot::queue_add_write_index_screlease);
  ASSERT_TRUE(t.Install().ok());
  EXPECT_EQ(t.hsa.Slot(HsaSlot::queue_add_write_index_screlease), add);
}

TEST(HsaCapture, ReportsEachInitialisationOfTheRuntime) {
  TracedHsa t;
  int uses = 0;
  t.options.on_runtime_use = [](void* data) { ++*static_cast<int*>(data); };
  t.options.runtime_data = &uses;
  ASSERT_TRUE(t.Install().ok());
  EXPECT_EQ(uses, 0);
  (void)t.hsa.Init();
  EXPECT_EQ(uses, 1);
}

TEST(HsaCapture, ListsTheAgents) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  ASSERT_TRUE(t.capture.TellAgents(&t.sink).ok());
  const auto agents = t.sink.agents();
  ASSERT_EQ(agents.size(), 1 + FakeHsa::kGpus);
  EXPECT_EQ(agents[0].is_gpu, 0u);
  EXPECT_EQ(agents[2].agent, 3u);
  EXPECT_EQ(agents[2].gpu, 1u);
  EXPECT_STREQ(agents[2].name, "gfx906");
  EXPECT_EQ(agents[2].compute_units, 60u);
  EXPECT_EQ(t.capture.AgentNumber(t.hsa.Agent(1)), 3u);
}

TEST(HsaCapture, KeepsProfilingOnWhenTheApplicationTurnsItOff) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  EXPECT_EQ(t.hsa.SetProfiling(queue, false), HSA_STATUS_SUCCESS);
  EXPECT_TRUE(FakeHsa::Profiling(queue));
}

TEST(HsaCapture, RecordsEachDispatchWithItsQueueKernelDimensionsAndTimes) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const first = t.hsa.CreateQueue(1024, 0);
  hsa_queue_t* const second = t.hsa.CreateQueue(1024, 1);
  const uint64_t before = BootTimeNs();
  t.hsa.Submit(first, FakeHsa::Kernel(7));
  t.hsa.Submit(second, FakeHsa::Kernel(8));
  t.hsa.Submit(second, FakeHsa::Kernel(9));
  const uint64_t after = BootTimeNs();
  const uint64_t tick = t.hsa.now_ticks();
  t.hsa.CompleteAll();
  ASSERT_TRUE(t.WaitForRecords(3));
  const auto queues = t.sink.queues();
  std::set<uint64_t> ids;
  for (const DispatchRecord& record : t.sink.dispatches()) {
    const bool on_first = record.kernel == 1007;
    EXPECT_EQ(record.queue, on_first ? queues[0].queue : queues[1].queue);
    EXPECT_EQ(record.packet, record.kernel == 1009 ? 1u : 0u);
    EXPECT_GE(record.start_ticks, tick);
    EXPECT_EQ(record.end_ticks, record.start_ticks + 2);
    EXPECT_EQ(record.start, FakeHsa::SystemTime(record.start_ticks));
    EXPECT_EQ(record.end, FakeHsa::SystemTime(record.end_ticks));
    EXPECT_GE(record.submitted, before);
    EXPECT_LE(record.submitted, after);
    EXPECT_EQ(record.grid[0], 4096u);
    EXPECT_EQ(record.grid[1], 8u);
    EXPECT_EQ(record.workgroup[0], 64u);
    EXPECT_EQ(record.workgroup[1], 2u);
    EXPECT_EQ(record.group_segment, 1024u);
    EXPECT_EQ(record.private_segment, 16u);
    EXPECT_EQ(record.flags, kDispatchFlagBarrierBit);
    EXPECT_EQ(record.head.thread, static_cast<uint32_t>(gettid()));
    ids.insert(record.dispatch);
  }
  EXPECT_EQ(ids, (std::set<uint64_t>{1, 2, 3}));
  EXPECT_EQ(queues[0].agent, t.capture.AgentNumber(t.hsa.Agent(0)));
  EXPECT_EQ(queues[1].agent, t.capture.AgentNumber(t.hsa.Agent(1)));
}

// A kernel has the number of its launch: the number must not depend on when kernels end, or on
// which kernels are lost.
TEST(HsaCapture, NumbersKernelsInTheOrderOfTheirSubmission) {
  TracedHsa t;
  t.options.pending_per_queue = 3;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const first = t.hsa.CreateQueue();
  hsa_queue_t* const second = t.hsa.CreateQueue();
  for (uint64_t i = 1; i <= 4; ++i) {  // the fourth kernel of each queue finds no room
    t.hsa.Submit(first, FakeHsa::Kernel(2 * i - 1));
    t.hsa.Submit(second, FakeHsa::Kernel(2 * i));
  }
  EXPECT_EQ(t.hsa.Complete(second, 4), 4u);
  ASSERT_TRUE(t.WaitForRecords(3));
  t.hsa.Submit(second, FakeHsa::Kernel(9));
  t.hsa.CompleteAll();
  ASSERT_TRUE(t.WaitForRecords(7));
  for (const DispatchRecord& record : t.sink.dispatches()) {
    EXPECT_EQ(record.dispatch, record.kernel - 1000);
  }
  EXPECT_EQ(t.sink.loss(Loss::kBacklog), 2u);
}

TEST(HsaCapture, DoesNotGiveAReusedAddressTheOldKernel) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  for (int i = 0; i < 100; ++i) {
    t.hsa.Submit(queue, FakeHsa::Kernel(7));
  }
  EXPECT_EQ(t.kernels.asked(), 1u) << "the queue remembers the answer";
  t.kernels.NextGeneration();
  t.hsa.Submit(queue, FakeHsa::Kernel(7));
  t.capture.Stop();
  const auto dispatches = t.sink.DispatchesByPacket();
  ASSERT_EQ(dispatches.size(), 101u);
  EXPECT_EQ(dispatches[99].kernel, 1007u);
  EXPECT_EQ(dispatches[100].kernel, 2007u);
}

TEST(HsaCapture, ChangesNothingInAPacketButTheSignal) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const AqlPacket packet = FakeHsa::Kernel(7);
  AqlPacket submitted = packet;
  t.hsa.Submit(queue, submitted);
  EXPECT_EQ(memcmp(&submitted, &packet, sizeof(packet)), 0) << "the application's own copy";
  const auto history = t.hsa.History(queue);
  ASSERT_EQ(history.size(), 1u);
  EXPECT_NE(history[0].dispatch.completion_signal.handle, 0u);
  EXPECT_EQ(memcmp(&history[0], &packet, 56), 0);
  EXPECT_EQ(t.hsa.WriterCalls(queue), 1u);
}

TEST(HsaCapture, CountsEveryKernelPacketAndEveryOtherPacket) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  // More queues than counters: the sink counts the rest.
  for (size_t i = 0; i < TracedHsa::kSubmittedSlots + 3; ++i) {
    hsa_queue_t* const queue = t.hsa.CreateQueue();
    for (int k = 0; k < 10; ++k) {
      t.hsa.Submit(queue, FakeHsa::Kernel(1));
      t.hsa.Submit(queue, FakeHsa::Barrier());
    }
    EXPECT_EQ(t.hsa.History(queue).size(), 20u);
  }
  t.capture.Stop();
  EXPECT_EQ(t.Submitted(), 110u);
  EXPECT_EQ(t.sink.submitted(), 30u);
  EXPECT_EQ(t.sink.recorded(), 110u);
  EXPECT_EQ(t.other_packets, 110u);
  EXPECT_TRUE(t.Conserved());
}

TEST(HsaCapture, StartsWithSixtyFourSignalsAndMakesNoneInTheSteadyState) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  EXPECT_EQ(t.hsa.Calls(HsaSlot::amd_signal_create), 64u);
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  size_t records = 0;
  const auto round = [&](size_t kernels) {
    for (size_t i = 0; i < kernels; ++i) {
      t.hsa.Submit(queue, FakeHsa::Kernel(1));
    }
    t.hsa.CompleteAll();
    return t.WaitForRecords(records += kernels);
  };
  ASSERT_TRUE(round(400));  // the most that will be in flight
  const uint64_t warm = t.hsa.Calls(HsaSlot::amd_signal_create);
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(round(40));
  }
  EXPECT_EQ(t.hsa.Calls(HsaSlot::amd_signal_create), warm);
}

TEST(HsaCapture, KeepsFiveThousandKernelsInFlightAndThenAtMostFourThousandSignals) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue(16'384);
  for (int i = 0; i < 5000; ++i) {
    t.hsa.Submit(queue, FakeHsa::Kernel(1));
  }
  EXPECT_GE(t.hsa.live_signals(), 5000u);
  t.hsa.CompleteAll();
  ASSERT_TRUE(t.WaitForRecords(5000));
  ASSERT_TRUE(WaitUntil([&] { return t.hsa.live_signals() <= 4096; }));
  t.capture.Stop();
  EXPECT_EQ(t.sink.lost(), 0u);
  EXPECT_TRUE(t.Conserved());
}

TEST(HsaCapture, DestroysAllItsSignalsAtTheEnd) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  for (int i = 0; i < 500; ++i) {
    t.hsa.Submit(queue, FakeHsa::Kernel(1));
  }
  t.capture.Stop();
  EXPECT_EQ(t.hsa.live_signals(), 0u);
  EXPECT_EQ(t.signals_created, t.signals_destroyed);
  EXPECT_EQ(t.hsa.bad_uses(), 0u);
}

TEST(HsaCapture, RunsOneWorkerForAnyNumberOfQueuesAndDispatches) {
  ASSERT_EQ(WorkerThreads(), 0);
  {
    TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
    ASSERT_TRUE(t.Install().ok());
    for (int q = 0; q < 4; ++q) {
      hsa_queue_t* const queue = t.hsa.CreateQueue();
      for (int i = 0; i < 1000; ++i) {
        t.hsa.Submit(queue, FakeHsa::Kernel(1));
      }
    }
    EXPECT_TRUE(WaitUntil([] { return WorkerThreads() == 1; }));
    t.capture.Unload();
  }
  EXPECT_EQ(WorkerThreads(), 0);
}

TEST(HsaCapture, PassesBatchesThroughByteForByteAndNamesTheLoss) {
  for (const Mode mode : {Mode::kStandard, Mode::kLite}) {
    TracedHsa t;
    t.options.mode = mode;
    ASSERT_TRUE(t.Install().ok());
    hsa_queue_t* const queue = t.hsa.CreateQueue();
    const hsa_signal_t signal = t.hsa.CreateSignal(1);
    const std::vector<AqlPacket> batch = {FakeHsa::Kernel(1), FakeHsa::Barrier(signal),
                                          FakeHsa::Kernel(2, signal)};
    t.hsa.SubmitBatch(queue, batch);
    const auto history = t.hsa.History(queue);
    ASSERT_EQ(history.size(), 3u);
    EXPECT_EQ(memcmp(history.data(), batch.data(), 3 * sizeof(AqlPacket)), 0);
    EXPECT_EQ(t.hsa.WriterCalls(queue), 1u);
    t.hsa.CompleteAll();
    t.capture.Stop();
    EXPECT_EQ(t.Submitted(), 2u);
    EXPECT_EQ(t.sink.loss(Loss::kBatch), 2u);
    EXPECT_EQ(t.other_packets, 1u);
    EXPECT_TRUE(t.Conserved());
  }
}

TEST(HsaCapture, WrapsABatchAtTheEndOfTheRing) {
  TracedHsa t;
  ASSERT_TRUE(t.Install().ok());
  std::vector<AqlPacket> ring;
  for (uint64_t i = 0; i < 8; ++i) {
    ring.push_back(FakeHsa::Kernel(i));
  }
  t.hsa.NextQueueRing(ring.data());
  hsa_queue_t* const queue = t.hsa.CreateQueue(8);
  t.hsa.SubmitFrom(queue, &ring[6], 5);
  const auto history = t.hsa.History(queue);
  ASSERT_EQ(history.size(), 5u);
  for (uint64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(history[i].dispatch.kernel_object, (6 + i) % 8);
  }
  t.capture.Stop();
  EXPECT_EQ(t.sink.loss(Loss::kBatch), 5u);
}

TEST(HsaCapture, DoesNotChangePacketsWithASignalInModeLite) {
  TracedHsa t;
  t.options.mode = Mode::kLite;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  const hsa_signal_t signal = t.hsa.CreateSignal(1);
  const AqlPacket with = FakeHsa::Kernel(1, signal);
  t.hsa.Submit(queue, with);
  t.hsa.Submit(queue, FakeHsa::Kernel(2));
  const auto history = t.hsa.History(queue);
  EXPECT_EQ(memcmp(&history[0], &with, sizeof(with)), 0);
  t.hsa.CompleteAll();
  t.capture.Stop();
  EXPECT_EQ(FakeHsa::Value(signal), 0);
  EXPECT_EQ(t.sink.loss(Loss::kHasSignal), 1u);
  EXPECT_EQ(t.sink.recorded(), 1u);
  EXPECT_TRUE(t.Conserved());
}

TEST(HsaCapture, PassesThroughAndCountsAfterStop) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue();
  t.hsa.Submit(queue, FakeHsa::Kernel(1));
  t.capture.Stop();
  const AqlPacket packet = FakeHsa::Kernel(2);
  t.hsa.Submit(queue, packet);
  EXPECT_EQ(memcmp(&t.hsa.History(queue)[1], &packet, sizeof(packet)), 0);
  EXPECT_EQ(t.Submitted(), 2u);
  EXPECT_EQ(t.sink.loss(Loss::kShutdown), 1u);
  EXPECT_TRUE(t.Conserved());
  hsa_queue_t* const later = t.hsa.CreateQueue();
  EXPECT_FALSE(FakeHsa::Intercepted(later));
  EXPECT_EQ(t.sink.warnings().size(), 1u) << "its kernels are not seen";
}

TEST(HsaCapture, RestoresTheTableOnUnloadAndContinuesTheNumbering) {
  TracedHsa t(support::kRocm61, FakeHsa::Gpu::kAtOnce);
  void* const create = t.hsa.Slot(HsaSlot::queue_create);
  ASSERT_TRUE(t.Install().ok());
  t.hsa.Submit(t.hsa.CreateQueue(), FakeHsa::Kernel(1));
  t.capture.Unload();
  EXPECT_EQ(t.hsa.Slot(HsaSlot::queue_create), create);
  ASSERT_TRUE(t.Install().ok());
  t.hsa.Submit(t.hsa.CreateQueue(), FakeHsa::Kernel(2));
  t.capture.Unload();
  const auto dispatches = t.sink.DispatchesByPacket();
  ASSERT_EQ(dispatches.size(), 2u);
  EXPECT_EQ(dispatches[1].dispatch, 2u);
  EXPECT_EQ(dispatches[1].queue, 2u);
  EXPECT_EQ(t.Submitted(), 2u);
  EXPECT_TRUE(t.Conserved());
}

TEST(HsaCapture, DoesNotTouchIdleQueues) {
  for (const support::TableLayout& layout :
       {support::kRocm52, support::kRocm61, support::kRocm72, support::kRocm10}) {
    for (const QueueMethod method : {QueueMethod::kIntercept, QueueMethod::kDoorbell}) {
      static std::atomic<int> beats;
      TracedHsa t(layout, FakeHsa::Gpu::kAtOnce);
      t.options.mode = Mode::kFull;
      t.options.queues = method;
      t.options.heartbeat = [](void*) { ++beats; };
      t.hsa.KeepHistory(true);
      ASSERT_TRUE(t.Install().ok());
      hsa_queue_t* const never = t.hsa.CreateQueue();
      hsa_queue_t* const earlier = t.hsa.CreateQueue();
      hsa_queue_t* const busy = t.hsa.CreateQueue();
      t.hsa.Submit(earlier, FakeHsa::Kernel(1));
      beats = 0;
      for (uint64_t kernel = 1; beats < 5 || kernel < 100; ++kernel) {
        t.hsa.Submit(busy, FakeHsa::Kernel(kernel));
        std::this_thread::yield();
      }
      EXPECT_EQ(t.hsa.History(never).size(), 0u);
      EXPECT_EQ(t.hsa.WriterCalls(never), 0u);
      EXPECT_EQ(t.hsa.History(earlier).size(), 1u) << "only its kernel";
      t.capture.Stop();
      EXPECT_TRUE(t.Conserved());
    }
  }
}

TEST(HsaCapture, CallsTheHeartbeatWhileItWorks) {
  static std::atomic<int> beats;
  beats = 0;
  TracedHsa t;
  t.options.heartbeat = [](void* data) { ++*static_cast<std::atomic<int>*>(data); };
  t.options.heartbeat_data = &beats;
  ASSERT_TRUE(t.Install().ok());
  EXPECT_TRUE(WaitUntil([&] { return beats > 3; }));
}

}  // namespace
}  // namespace rtl::capture
