// SPDX-License-Identifier: MIT
// A watcher of submissions gets each kernel and copy once, and its end or its loss once.
#include "capture/queue/submission_watcher.h"

#include <gtest/gtest.h>
#include <string.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "base/demand.h"
#include "capture/hip/open_call.h"
#include "capture/roctx/pause.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::TracedHsa;
using support::WaitUntil;

// Keeps its notifications, by ticket.
class Watcher final : public SubmissionWatcher {
 public:
  struct Event {
    DispatchRecord kernel, ended_kernel;
    CopyRecord copy, ended_copy;
    uint64_t queue_id = 0;
    uint32_t ended = 0, lost = 0;
  };

  uint32_t KernelSubmitted(const DispatchRecord& kernel, const QueueIdentity& queue) override {
    std::lock_guard lock(mutex_);
    if (refuse_) return 0;
    Event& event = events_[++last_];
    event.kernel = kernel;
    event.queue_id = queue.hsa_id;
    return last_;
  }
  bool EndsAnywhere(uint32_t) const override { return ends_anywhere_; }
  void KernelEnded(uint32_t ticket, const DispatchRecord& kernel,
                   const QueueIdentity& queue) override {
    std::lock_guard lock(mutex_);
    enders_.insert(gettid());
    Event& event = events_.at(ticket);
    event.ended_kernel = kernel;
    EXPECT_EQ(queue.hsa_id, event.queue_id);
    ++event.ended;
  }
  uint32_t CopySubmitted(const CopyRecord& copy) override {
    std::lock_guard lock(mutex_);
    if (refuse_) return 0;
    events_[++last_].copy = copy;
    return last_;
  }
  void CopyEnded(uint32_t ticket, const CopyRecord& copy) override {
    std::lock_guard lock(mutex_);
    events_.at(ticket).ended_copy = copy;
    ++events_.at(ticket).ended;
  }
  void Lost(uint32_t ticket) override {
    std::lock_guard lock(mutex_);
    ++events_.at(ticket).lost;
  }

  void PacketsReserved(uint64_t correlation, uint64_t packets) override {
    std::lock_guard lock(mutex_);
    reserved_[correlation] += packets;
  }
  void PacketShown(uint64_t correlation) override {
    std::lock_guard lock(mutex_);
    shown_.push_back({correlation, events_.size()});
  }

  void Refuse() { refuse_ = true; }
  void EndAnywhere() { ends_anywhere_ = true; }
  // The threads that reported ends of kernels.
  std::set<pid_t> enders() const {
    std::lock_guard lock(mutex_);
    return enders_;
  }
  struct Shown {
    uint64_t correlation;
    size_t told;  // number of notifications by then
    bool operator==(const Shown&) const = default;
  };
  std::vector<Shown> shown() const {
    std::lock_guard lock(mutex_);
    return shown_;
  }
  uint64_t reserved(uint64_t correlation) {
    std::lock_guard lock(mutex_);
    return reserved_[correlation];
  }
  size_t told() const {
    std::lock_guard lock(mutex_);
    return events_.size();
  }
  size_t ended() const { return Count(&Event::ended); }
  size_t lost() const { return Count(&Event::lost); }
  Event event(uint32_t ticket) const {
    std::lock_guard lock(mutex_);
    return events_.at(ticket);
  }
  // Whether each event has come back once.
  bool AllBack() const {
    std::lock_guard lock(mutex_);
    for (const auto& [ticket, event] : events_) {
      if (event.ended + event.lost != 1) return false;
    }
    return true;
  }

 private:
  size_t Count(uint32_t Event::*what) const {
    std::lock_guard lock(mutex_);
    size_t sum = 0;
    for (const auto& [ticket, event] : events_) sum += event.*what;
    return sum;
  }

  mutable std::mutex mutex_;
  std::map<uint32_t, Event> events_;
  std::map<uint64_t, uint64_t> reserved_;
  std::vector<Shown> shown_;
  std::set<pid_t> enders_;
  uint32_t last_ = 0;
  bool refuse_ = false;
  std::atomic<bool> ends_anywhere_{false};
};

class SubmissionWatcherTest : public ::testing::Test {
 protected:
  void Start(Mode mode = Mode::kStandard, FakeHsa::Gpu gpu = FakeHsa::Gpu::kManual,
             const support::TableLayout& runtime = support::kRocm10,
             const Demand* demand = nullptr) {
    t_ = std::make_unique<TracedHsa>(runtime, gpu);
    t_->options.mode = mode;
    t_->options.tools = demand;
    t_->options.watcher = &watcher_;
    t_->options.note_origins = true;
    ASSERT_TRUE(t_->Install().ok());
  }
  hsa_status_t ToGpu(hsa_signal_t signal) {
    return t_->hsa.Copy(t_->hsa.Agent(1), t_->hsa.CpuAgent(), 4096, signal);
  }
  // Every reported event has come back; an event that came back as lost is a loss of the trace,
  // too.
  void Finish() {
    t_->capture.Stop();
    EXPECT_TRUE(WaitUntil([&] { return t_->Conserved(); }));
    EXPECT_TRUE(watcher_.AllBack());
    EXPECT_EQ(watcher_.ended(), t_->sink.dispatch_count() + t_->sink.copy_count());
  }

  Watcher watcher_;
  std::unique_ptr<TracedHsa> t_;
};

TEST_F(SubmissionWatcherTest, GetsAKernelBeforeItsPacketIsWrittenAndItsEnd) {
  Start();
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  size_t told_at_write = 0;
  t_->hsa.OnWrite([&] { told_at_write = watcher_.told(); });
  OpenCall::MakeCalls()->correlation = 42;
  t_->hsa.Submit(queue, FakeHsa::Kernel(7));
  OpenCall::Calls()->correlation = 0;
  t_->hsa.OnWrite(nullptr);
  EXPECT_EQ(told_at_write, 1u);
  EXPECT_EQ(watcher_.ended(), 0u);
  t_->hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return watcher_.ended() == 1; }));
  const Watcher::Event event = watcher_.event(1);
  EXPECT_EQ(event.queue_id, queue->id);
  EXPECT_EQ(event.kernel.correlation, 42u);
  for (const DispatchRecord& record : {event.kernel, event.ended_kernel}) {
    EXPECT_EQ(record.kernel, 1007u);
    EXPECT_EQ(record.head.thread, static_cast<uint32_t>(gettid()));
  }
  EXPECT_EQ(event.kernel.start + event.kernel.end + event.kernel.dispatch, 0u);
  const DispatchRecord written = t_->sink.dispatches()[0];
  EXPECT_EQ(event.ended_kernel.start, written.start);
  EXPECT_EQ(event.ended_kernel.end, written.end);
  EXPECT_NE(written.end, 0u);
  EXPECT_EQ(written.correlation, 0u) << "no call that the trace records";
  Finish();
}

// If an end runs a tool's function, the worker reports the end: that function could need what the
// application's thread holds.
TEST_F(SubmissionWatcherTest, GetsEndsBeforeTheApplicationGoesOnWhereTheyRunNoTool) {
  Start();
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  for (size_t i = 1; i <= 100; ++i) {
    if (i == 51) {
      ASSERT_TRUE(WaitUntil([&] { return watcher_.ended() == 50; }));
      EXPECT_EQ(watcher_.enders().count(gettid()), 0u);
      watcher_.EndAnywhere();
    }
    const hsa_signal_t done = t_->hsa.CreateSignal(1);
    t_->hsa.Submit(queue, FakeHsa::Kernel(i, done));
    t_->hsa.CompleteAll();
    EXPECT_EQ(t_->hsa.Wait(done), 0);
    EXPECT_TRUE(i <= 50 || watcher_.ended() == i);
  }
  EXPECT_EQ(watcher_.enders().count(gettid()), 1u);
  Finish();
}

TEST_F(SubmissionWatcherTest, GetsEachKernelOfABatch) {
  Start(Mode::kFull);
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  const std::vector<AqlPacket> packets = {FakeHsa::Kernel(1), FakeHsa::Barrier(),
                                          FakeHsa::Kernel(2), FakeHsa::Kernel(3)};
  t_->hsa.SubmitBatch(queue, packets);
  ASSERT_EQ(watcher_.told(), 3u);
  for (uint32_t ticket = 1; ticket <= 3; ++ticket)
    EXPECT_EQ(watcher_.event(ticket).kernel.kernel, 1000 + ticket);
  t_->hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return watcher_.ended() == 3; }));
  Finish();
}

TEST_F(SubmissionWatcherTest, GetsNoEventsThatAreLostBeforeSubmission) {
  Start(Mode::kStandard, FakeHsa::Gpu::kManual, support::kRocm61);
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  t_->hsa.SubmitBatch(queue, {FakeHsa::Kernel(1), FakeHsa::Kernel(2)});  // kBatch
  ASSERT_EQ(t_->hsa.Copy(t_->hsa.CpuAgent(), t_->hsa.CpuAgent(), 1, t_->hsa.CreateSignal(1)),
            HSA_STATUS_SUCCESS);  // the runtime takes no times for it
  t_->hsa.CompleteAll();
  t_->hsa.CompleteCopies();
  Finish();
  EXPECT_EQ(watcher_.told(), 0u);
  EXPECT_EQ(t_->sink.lost() + t_->sink.lost(EventKind::kCopy), 3u);
}

// A pause concerns the trace, not the watcher.
TEST_F(SubmissionWatcherTest, GetsInAPauseWhatItWants) {
  Demand demand;
  Start(Mode::kFull, FakeHsa::Gpu::kAtOnce, support::kRocm10, &demand);
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  t_->hsa.Submit(queue, FakeHsa::Kernel(1));
  ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
  t_->hsa.Submit(queue, FakeHsa::Kernel(2));
  t_->hsa.SubmitBatch(queue, {FakeHsa::Kernel(3), FakeHsa::Barrier(), FakeHsa::Kernel(4)});
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  EXPECT_EQ(watcher_.told(), 5u);
  ASSERT_TRUE(WaitUntil([&] { return watcher_.ended() == 5; }));
  demand.Update([] { return false; });
  t_->hsa.Submit(queue, FakeHsa::Kernel(5));
  t_->hsa.SubmitBatch(queue, {FakeHsa::Kernel(6), FakeHsa::Kernel(7)});
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  EXPECT_EQ(watcher_.told(), 5u);
  Pause::End(Pause::kAllThreads);
  t_->hsa.Submit(queue, FakeHsa::Kernel(8));
  t_->capture.Stop();
  EXPECT_TRUE(WaitUntil([&] { return t_->Conserved(); }));
  EXPECT_TRUE(watcher_.AllBack());
  EXPECT_EQ(t_->sink.loss(Loss::kPaused), 6u);
  EXPECT_EQ(t_->sink.loss(Loss::kPaused, EventKind::kCopy), 2u);
  EXPECT_EQ(t_->sink.lost() + t_->sink.lost(EventKind::kCopy), 8u);
  const std::vector<DispatchRecord> recorded = t_->sink.dispatches();
  ASSERT_EQ(recorded.size(), 2u);
  EXPECT_EQ(recorded[1].kernel, 1008u);
  EXPECT_EQ(recorded[1].dispatch, 2u) << "paused kernels have no numbers";
}

TEST_F(SubmissionWatcherTest, LosesAKernelOfAPauseAsAnyOther) {
  Demand demand;
  Start(Mode::kFull, FakeHsa::Gpu::kManual, support::kRocm10, &demand);
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
  t_->hsa.Submit(queue, FakeHsa::Kernel(1));
  Finish();
  Pause::End(Pause::kAllThreads);
  EXPECT_EQ(watcher_.lost(), 1u);
  EXPECT_EQ(t_->sink.loss(Loss::kShutdown), 1u);
}

TEST_F(SubmissionWatcherTest, GetsKernelsAndCopiesWithSignalsInModeLite) {
  Demand demand;
  Start(Mode::kLite, FakeHsa::Gpu::kAtOnce, support::kRocm10, &demand);
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  for (const bool open : {true, false}) {
    demand.Update([open] { return open; });
    t_->hsa.Submit(queue, FakeHsa::Kernel(1, t_->hsa.CreateSignal(1)));
    ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
    t_->hsa.CompleteCopies();
    EXPECT_EQ(watcher_.told(), 2u);
  }
  Finish();
  EXPECT_EQ(watcher_.ended(), 2u);
  EXPECT_EQ(t_->sink.loss(Loss::kHasSignal), 1u);
  EXPECT_EQ(t_->sink.loss(Loss::kHasSignal, EventKind::kCopy), 1u);
}

TEST_F(SubmissionWatcherTest, GetsKernelsThatAreLostLater) {
  Start();
  hsa_queue_t* const gone = t_->hsa.CreateQueue();
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  t_->hsa.Submit(gone, FakeHsa::Kernel(1));
  EXPECT_EQ(t_->hsa.DestroyQueue(gone), HSA_STATUS_SUCCESS);
  ASSERT_TRUE(WaitUntil([&] { return t_->sink.loss(Loss::kQueueDestroyed) == 1; }));
  t_->hsa.WriteTimes(false);
  t_->hsa.Submit(queue, FakeHsa::Kernel(2));
  t_->hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return t_->sink.loss(Loss::kBadTimestamps) == 1; }));
  t_->hsa.Submit(queue, FakeHsa::Kernel(3));
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kShutdown), 1u);
  EXPECT_EQ(watcher_.lost(), 3u);
}

TEST_F(SubmissionWatcherTest, GetsAKernelOnceThatEndsAfterItWasGivenUp) {
  Start();
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  const hsa_signal_t done = t_->hsa.CreateSignal(1);
  t_->hsa.Submit(queue, FakeHsa::Kernel(1, done));
  Finish();
  EXPECT_EQ(watcher_.lost(), 1u);
  t_->hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(done) == 0; }));
  EXPECT_TRUE(watcher_.AllBack());
}

TEST_F(SubmissionWatcherTest, GetsACopyAndItsEnd) {
  Start();
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  ASSERT_EQ(watcher_.told(), 1u);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(WaitUntil([&] { return watcher_.ended() == 1; }));
  const Watcher::Event event = watcher_.event(1);
  for (const CopyRecord& record : {event.copy, event.ended_copy}) {
    EXPECT_EQ(record.kind, CopyKind::kHostToDevice);
    EXPECT_EQ(record.bytes, 4096u);
    EXPECT_EQ(record.dst, 0xd000u);
  }
  EXPECT_EQ(event.copy.start + event.copy.end, 0u);
  EXPECT_EQ(event.ended_copy.end, event.ended_copy.start + FakeHsa::kCopyNs);
  Finish();
}

TEST_F(SubmissionWatcherTest, GetsCopiesThatFailOrAreLost) {
  Start();
  t_->hsa.FailNth(HsaSlot::amd_memory_async_copy, 1);
  EXPECT_NE(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  EXPECT_EQ(watcher_.told(), 1u);
  EXPECT_EQ(watcher_.lost(), 1u) << "at once";
  const hsa_signal_t destroyed = t_->hsa.CreateSignal(1);
  ASSERT_EQ(ToGpu(destroyed), HSA_STATUS_SUCCESS);
  EXPECT_EQ(t_->hsa.DestroySignal(destroyed), HSA_STATUS_SUCCESS);
  ASSERT_TRUE(WaitUntil([&] { return t_->sink.loss(Loss::kSignalReused, EventKind::kCopy) == 1; }));
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kShutdown, EventKind::kCopy), 1u);
  EXPECT_EQ(watcher_.lost(), 3u);
  EXPECT_EQ(t_->sink.lost(EventKind::kCopy), 2u) << "a copy with a failed call is not an event";
}

TEST_F(SubmissionWatcherTest, GetsEachReservationAndEachSubmittedPacket) {
  for (const Mode mode : {Mode::kStandard, Mode::kFull}) {
    Watcher watcher;
    TracedHsa t(mode == Mode::kFull ? support::kRocm10 : support::kRocm61, FakeHsa::Gpu::kAtOnce);
    t.options.mode = mode;
    t.options.note_origins = true;
    t.options.watcher = &watcher;
    ASSERT_TRUE(t.Install().ok());
    hsa_queue_t* const queue = t.hsa.CreateQueue();
    OpenCall::MakeCalls()->correlation = 42;
    (void)t.hsa.Reserve(queue, 3);
    OpenCall::Calls()->correlation = 0;
    (void)t.hsa.Reserve(queue, 1);
    OpenCall::Calls()->correlation = 43;
    (void)t.hsa.Reserve(queue, 2);
    OpenCall::Calls()->correlation = 0;
    EXPECT_EQ(watcher.reserved(42), 3u);
    EXPECT_EQ(watcher.reserved(43), 2u);
    EXPECT_EQ(watcher.reserved(0), 0u);
    t.hsa.Submit(queue, FakeHsa::Kernel(1));
    EXPECT_EQ(watcher.shown(), (std::vector<Watcher::Shown>{{42, 1}})) << "after the kernel";
    t.hsa.Submit(queue, FakeHsa::Barrier());
    t.hsa.Submit(queue, FakeHsa::Kernel(2));
    t.hsa.Submit(queue, FakeHsa::Kernel(3));  // in no call
    EXPECT_EQ(watcher.shown().size(), 3u);
    t.hsa.SubmitBatch(queue, {FakeHsa::Kernel(4), FakeHsa::Barrier()});
    ASSERT_EQ(watcher.shown().size(), 5u);
    const size_t told = mode == Mode::kFull ? 4 : 3;  // nothing for a batch that is passed through
    EXPECT_EQ(watcher.shown()[3], (Watcher::Shown{43, told}));
    EXPECT_EQ(watcher.shown()[4], (Watcher::Shown{43, told}));
    t.capture.Stop();
  }
}

TEST_F(SubmissionWatcherTest, GetsNoMoreOfEventsThatItDeclined) {
  watcher_.Refuse();
  Start(Mode::kStandard, FakeHsa::Gpu::kAtOnce);
  hsa_queue_t* const queue = t_->hsa.CreateQueue();
  for (uint64_t i = 0; i < 10; ++i) t_->hsa.Submit(queue, FakeHsa::Kernel(i));
  ASSERT_EQ(ToGpu(t_->hsa.CreateSignal(1)), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(t_->WaitForRecords(10) && t_->WaitForCopies(1));
  t_->capture.Stop();
  EXPECT_EQ(watcher_.told() + watcher_.ended() + watcher_.lost(), 0u);
}

// Tools that have no context started want nothing: packets and copies are as in an untraced
// program.
class QuietTest : public ::testing::TestWithParam<QueueMethod> {
 protected:
  void Start(FakeHsa::Gpu gpu = FakeHsa::Gpu::kManual) {
    const bool doorbell = GetParam() == QueueMethod::kDoorbell;
    t_ = std::make_unique<TracedHsa>(doorbell ? support::kRocm72 : support::kRocm10, gpu);
    t_->options.mode = Mode::kFull;
    t_->options.queues = GetParam();
    t_->options.watcher = &watcher_;
    t_->options.note_origins = true;
    t_->options.demand = &demand_;
    demand_.Update([] { return false; });
    ASSERT_TRUE(t_->Install().ok());
    queue_ = t_->hsa.CreateQueue(64);
  }
  static const void* Bytes(const AqlPacket& packet) { return &packet; }
  void Open() {
    demand_.Update([] { return true; });
  }
  void Close() {
    demand_.Update([] { return false; });
  }
  void Launch(const std::vector<AqlPacket>& packets) {
    if (GetParam() == QueueMethod::kIntercept) {
      if (packets.size() == 1) return t_->hsa.Submit(queue_, packets[0]);
      return t_->hsa.SubmitBatch(queue_, packets);
    }
    const uint64_t first = t_->hsa.Reserve(queue_, packets.size());
    for (size_t i = 0; i < packets.size(); ++i) t_->hsa.WriteAt(queue_, first + i, packets[i]);
    t_->hsa.Ring(queue_, first + packets.size() - 1);
  }
  void Finish() {
    t_->hsa.CompleteAll();
    t_->capture.Stop();
    EXPECT_TRUE(WaitUntil([&] { return t_->Conserved(); }));
    EXPECT_TRUE(watcher_.AllBack());
    EXPECT_EQ(t_->sink.lost() + t_->sink.lost(EventKind::kCopy), 0u);
    EXPECT_EQ(t_->hsa.bad_uses(), 0u);
  }

  Demand demand_;
  Watcher watcher_;
  std::unique_ptr<TracedHsa> t_;
  hsa_queue_t* queue_ = nullptr;
};

TEST_P(QuietTest, PacketsPassAsTheyAre) {
  Start(FakeHsa::Gpu::kAtOnce);
  const AqlPacket kernel = FakeHsa::Kernel(7);
  const AqlPacket with_signal = FakeHsa::Kernel(8, t_->hsa.CreateSignal(1));
  Launch({kernel});
  Launch({with_signal, FakeHsa::Barrier(), kernel});
  // Several times around the ring, or until the guard of an intercept queue's ring adds a packet.
  const size_t more = GetParam() == QueueMethod::kDoorbell ? 200 : 4;
  for (size_t i = 0; i < more; ++i) Launch({kernel});
  const std::vector<AqlPacket> history = t_->hsa.History(queue_);
  ASSERT_EQ(history.size(), 4 + more);
  EXPECT_EQ(memcmp(Bytes(history[0]), Bytes(kernel), sizeof kernel), 0);
  EXPECT_EQ(memcmp(Bytes(history[1]), Bytes(with_signal), sizeof kernel), 0);
  EXPECT_EQ(history.back().dispatch.completion_signal.handle, 0u);
  Finish();
  EXPECT_EQ(t_->Submitted(), 0u);
  EXPECT_EQ(watcher_.told(), 0u);
}

TEST_P(QuietTest, AWindowGetsItsKernelsAndNoOthers) {
  Start();
  for (int window = 0; window < 3; ++window) {
    Launch({FakeHsa::Kernel(1), FakeHsa::Kernel(2)});
    Open();
    Launch({FakeHsa::Kernel(3)});
    Launch({FakeHsa::Kernel(4), FakeHsa::Barrier(), FakeHsa::Kernel(5)});
    Close();
    Launch({FakeHsa::Kernel(6)});
    t_->hsa.CompleteAll();
  }
  ASSERT_TRUE(WaitUntil([&] { return watcher_.ended() == 9; }));
  for (uint32_t ticket = 1; ticket <= 9; ++ticket)
    EXPECT_EQ(watcher_.event(ticket).kernel.kernel, 1003 + (ticket - 1) % 3);
  Finish();
  EXPECT_EQ(t_->Submitted(), 9u);
  EXPECT_EQ(watcher_.told(), 9u);
}

TEST_P(QuietTest, AKernelInFlightKeepsItsTimesWhenItsSignalIsUsedAgain) {
  Start();
  const hsa_signal_t signal = t_->hsa.CreateSignal(1);
  Open();
  Launch({FakeHsa::Kernel(1, signal)});
  Close();
  (void)t_->hsa.Complete(queue_, 1);
  const uint64_t end = FakeHsa::EndOf(signal);
  FakeHsa::SetValue(signal, 1);
  Launch({FakeHsa::Kernel(2, signal)});
  (void)t_->hsa.Complete(queue_, 1);
  ASSERT_TRUE(WaitUntil([&] { return watcher_.ended() == 1; }));
  EXPECT_EQ(watcher_.event(1).ended_kernel.end, FakeHsa::SystemTime(end));
  Finish();
}

TEST_P(QuietTest, CopiesPassToo) {
  Start();
  const auto copy = [&] {
    return t_->hsa.Copy(t_->hsa.Agent(1), t_->hsa.CpuAgent(), 4096, t_->hsa.CreateSignal(1));
  };
  ASSERT_EQ(copy(), HSA_STATUS_SUCCESS);
  EXPECT_FALSE(t_->hsa.copies_are_timed());
  Open();
  ASSERT_EQ(copy(), HSA_STATUS_SUCCESS);
  Close();
  ASSERT_EQ(copy(), HSA_STATUS_SUCCESS);
  t_->hsa.CompleteCopies();
  ASSERT_TRUE(WaitUntil([&] { return watcher_.ended() == 1; }));
  Finish();
  EXPECT_EQ(watcher_.told(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Doors, QuietTest,
                         ::testing::Values(QueueMethod::kIntercept, QueueMethod::kDoorbell));

// A doorbell that waits for an earlier packet rings when no tool wants to see that packet any more.
TEST(QuietDoorbellTest, NothingIsHeldBack) {
  Demand demand;
  Watcher watcher;
  TracedHsa t(support::kRocm72, FakeHsa::Gpu::kManual);
  t.options.mode = Mode::kFull;
  t.options.queues = QueueMethod::kDoorbell;
  t.options.watcher = &watcher;
  t.options.demand = &demand;
  ASSERT_TRUE(t.Install().ok());
  hsa_queue_t* const queue = t.hsa.CreateQueue(64);
  (void)t.hsa.Reserve(queue, 3);
  t.hsa.WriteAt(queue, 1, FakeHsa::Kernel(2));
  t.hsa.Ring(queue, 1);  // packet 0 is not written
  EXPECT_EQ(t.hsa.InFlight(queue), 0u);
  demand.Update([] { return false; });
  t.hsa.WriteAt(queue, 0, FakeHsa::Kernel(1));
  t.hsa.WriteAt(queue, 2, FakeHsa::Kernel(3));
  t.hsa.Ring(queue, 2);
  EXPECT_EQ(t.hsa.InFlight(queue), 3u);
  demand.Update([] { return true; });
  (void)t.hsa.Reserve(queue, 1);
  t.hsa.WriteAt(queue, 3, FakeHsa::Kernel(4));
  t.hsa.Ring(queue, 3);
  t.hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return watcher.ended() == 1; }));
  t.capture.Stop();
  EXPECT_TRUE(t.Conserved());
  EXPECT_EQ(t.Submitted(), 1u);
  EXPECT_EQ(t.sink.lost(), 0u);
}

}  // namespace
}  // namespace rtl::capture
