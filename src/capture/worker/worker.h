// SPDX-License-Identifier: MIT
// worker.h: the thread that turns kernels into records. It scans every queue in turn; nothing wakes
// it per dispatch. Another thread completes the application's pending signals (forwarder.h).
//
//   phase         entered by                       left when
//   kTracing      Start                            Stop is called
//   kDraining     Stop                             nothing is in flight, or the budget is used up
//   kForwarding   the worker: totals are final     no signal of the application is pending
//   kExited       the worker, or at once by Join   -
//
// Pace: a pass every 5 ms while kernels end, every 10 ms while kernels only run, and every 25 ms
// when nothing runs. A pass begins sooner when a hook rings, because a queue runs short of signals
// or has thousands of unread kernels. While a thread waits for a kernel and kernels end, there is a
// pass every 100 us. Each pass takes cache lines from the application's threads, and a processor if
// none is free.
//
// Each pass stores its time in HookState::beat, by which hooks know that the worker is alive.
//
// A thread of the application that learns of an end scans the queues itself before it continues
// (BringHome). Only the thread that has its turn scans (turn.h).
//
// Threads    Start, Join: one at a time. Stop, SettleEnded: any, several at once; not the worker
//            itself. BringHome: any
// Blocking   Stop: at most the sum of the budget, the time that hooks may wait for room, and
//            kStopGraceNs. Join: one pass of the worker, at most kJoinNs; a worker blocked on disk
//            is not joined. BringHome: at most kTurnNs while another thread has its turn, and at
//            most kHandOnNs while a hook is about to publish an entry; neither twice for the same
//            stalled thread. SettleEnded: two passes, at most kSettleNs
// Errors     Start fails when no thread can be created
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "base/status.h"
#include "capture/queue/async_copies.h"
#include "capture/queue/queue_registry.h"
#include "capture/worker/harvester.h"
#include "capture/worker/turn.h"
#include "model/call_cell.h"
#include "model/records.h"

namespace rtl::capture {

// Counters of the tracer's own actions; any may be null. Unless a comment says otherwise, the
// worker writes them, relaxed.
struct CaptureCounters {
  std::atomic<uint64_t>* signals_created = nullptr;
  std::atomic<uint64_t>* signals_destroyed = nullptr;
  std::atomic<uint64_t>* queues_created = nullptr;
  std::atomic<uint64_t>* queues_destroyed = nullptr;
  std::atomic<uint64_t>* other_packets = nullptr;
  // time at which the last whole pass over all queues began
  std::atomic<uint64_t>* looked = nullptr;
  std::atomic<uint64_t>* hip_calls_submitted = nullptr;       // written by the calls themselves
  std::atomic<uint64_t>* compiler_calls_submitted = nullptr;  // written by the calls themselves
  CallCell* call_cells = nullptr;  // kCallCells cells, written by the threads that have one
};

class Worker {
 public:
  struct Heartbeat {
    void (*call)(void* data) = nullptr;
    void* data = nullptr;
  };

  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  struct Services {
    HookState* state = nullptr;
    RecordSink* sink = nullptr;
    Bell* bell = nullptr;
    SignalPool* pool = nullptr;
    Forwarder* forwarder = nullptr;
    AsyncCopies* copies = nullptr;
    QueueRegistry* queues = nullptr;
    uint64_t room_wait_ns = 0;  // longest time that hooks may wait for room
  };
  // `next_barrier`: the number of the first barrier record.
  Status Start(const Services& services, const Harvester::Services& harvester,
               const CaptureCounters& counters, Heartbeat heartbeat, uint64_t next_barrier);
  // Called after the hooks were disarmed. Returns when the totals are final.
  void Stop(uint64_t budget_ns);
  // For a thread of the application: records work that ends before the deadline. False if some work
  // has not ended.
  bool AwaitEnds(uint64_t deadline);
  // Ends the worker's and the forwarder's thread. No HSA function is called afterwards.
  void Join();
  // After Stop: lets the threads end by themselves, when no signal of the application is pending.
  void Leave();

  // For a thread of the application that has just seen a signal's value: records the ended work.
  // False if this takes too long. Does nothing on the tracer's own threads.
  bool BringHome();
  bool MayBringHome() const {
    const Phase phase = phase_.load(std::memory_order_relaxed);
    return phase == Phase::kTracing || phase == Phase::kDraining;
  }
  // Called before and after a wait of the application. While much is in flight, the worker makes
  // passes more often, so that less is left for the waiting thread. BeginWait returns false if
  // EndWait must not be called.
  bool BeginWait() {
    if (!MayBringHome() || InFlight() < kMuch) return false;
    waiters_.fetch_add(1, std::memory_order_relaxed);
    services_.bell->Ring();
    return true;
  }
  void EndWait() { waiters_.fetch_sub(1, std::memory_order_relaxed); }
  // HOT: called when a thread loads a signal, perhaps in a loop. If much is in flight, the thread
  // does a part of the worker's work, because it is only polling.
  void NotePoll() {
    if (++polls_ % kPolls == 0 && InFlight() >= kMuch) LookAtSome();
  }
  // For any thread but the worker: waits until the worker has read the ended work. False if this
  // takes too long.
  bool SettleEnded();

  const Harvester& harvester() const { return harvester_; }

 private:
  enum class Phase : uint32_t { kTracing, kDraining, kForwarding, kExited };
  static constexpr uint64_t kBusyNs = 500'000;
  static constexpr uint64_t kSteadyNs = 5'000'000;
  // The first heartbeat comes late. It makes preparations for load, which take up to 20 ms, and a
  // process that ends during them would have to wait.
  static constexpr uint64_t kFirstBeatNs = 50'000'000;
  static constexpr uint64_t kRunningNs = 10'000'000;
  static constexpr uint64_t kIdleNs = 25'000'000;
  static constexpr uint64_t kDrainNs = 50'000;
  static constexpr uint64_t kJoinNs = 5'000'000'000;
  static constexpr uint64_t kLeaveNs = 500'000'000;
  // How long kernels may end after their queue was destroyed.
  static constexpr uint64_t kDeadQueueNs = 10'000'000;
  static constexpr uint64_t kCalmNs = 1'000'000'000;
  static constexpr uint32_t kTrimPerPass = 256;
  // kernels that ended since the worker's last rest
  static constexpr uint64_t kFullRest = SignalCache::kCapacity / 2;
  static constexpr uint64_t kStopGraceNs = 1'000'000'000;
  static constexpr uint64_t kWaitedForNs = 100'000;
  static constexpr uint64_t kMuch =
      64;  // a waiting thread records this many kernels without a noticeable delay
  // the kernels in flight are counted only at every eighth poll, because counting takes as long as
  // a poll
  static constexpr uint32_t kPolls = 8;
  static constexpr uint64_t kTurnNs = 1'000'000'000;
  static constexpr uint64_t kHandOnNs = 100'000'000;
  static constexpr uint64_t kSettleNs = 2'000'000'000;

  static void* Main(void* self);
  void Run();
  Harvester::Progress Pass(uint64_t now);
  Harvester::Progress LookAt(TracedQueue* queue, uint64_t now, uint32_t* live) RTL_REQUIRES(turn_);
  // kInHook: a packet that was handed to the device may not be published yet.
  enum class Unread : uint8_t { kNothing, kPublished, kInHook };
  Unread AnythingPending() const;
  void LookAtSome();
  uint64_t InFlight() const;
  void CountBroughtHome(uint64_t finished) RTL_REQUIRES(turn_) {
    brought_home_.store(brought_home_.load(std::memory_order_relaxed) + finished,
                        std::memory_order_relaxed);
  }
  void AwaitHandOn() const;
  void Retire(TracedQueue* queue) RTL_REQUIRES(turn_);
  void Beat(const Harvester::Progress& progress, uint64_t now);
  void Rest(const Harvester::Progress& progress, uint64_t now);
  void Drain();
  bool AnyHookInside() const;
  bool Final() const { return finals_.load(std::memory_order_relaxed) != 0; }
  void FinishTotals();
  bool GiveUpAll(bool inside) RTL_REQUIRES(turn_);
  static QueueEndRecord QueueEnd(const TracedQueue& queue, uint64_t destroyed);
  void WriteQueueEnd(const QueueEndRecord& record);
  void PublishCounters();
  void SetPhase(Phase phase);

  Services services_;
  HookState* state_ = nullptr;
  CaptureCounters counters_;
  Heartbeat heartbeat_;
  Turn turn_;
  Harvester harvester_;  // used by the thread that has its turn
  pthread_t thread_ = {};
  std::atomic<uint32_t> thread_id_{0};
  // the worker's passes over all queues; stored with release
  std::atomic<uint64_t> passes_{0};
  std::atomic<uint64_t> brought_home_{0};  // kernels that other threads have recorded
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local uint32_t polls_ = 0;
  std::atomic<uint32_t> waiters_{0};
  std::atomic<bool> started_{false};
  std::atomic<Phase> phase_{Phase::kExited};
  std::atomic<uint32_t> finals_{0};  // futex: 1 once the totals are final
  std::atomic<bool> leave_{false};
  std::atomic<uint64_t> deadline_{0};
  // Used by the worker's thread only.
  uint64_t interval_ns_ = kSteadyNs;
  uint64_t waited_for_ns_ = kWaitedForNs;  // the interval while a thread waits
  uint32_t live_queues_ = 1;
  uint64_t next_beat_ = 0;
  uint64_t last_progress_ = 0;
  uint64_t since_beat_ = 0;
  uint64_t since_rest_ = 0;
  uint64_t other_flushed_ = 0;
  uint64_t brought_home_before_ = 0;  // brought_home_ at the previous pass
};

}  // namespace rtl::capture
