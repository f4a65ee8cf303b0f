// SPDX-License-Identifier: MIT
// harvester.h: turns ended kernels (and barriers) into records, and returns the tracer's signals to
// the pool.
//
// Each queue is scanned from its own oldest entry, so a stalled queue does not stall other queues.
// Within a queue a few entries may overtake others. The forwarder completes the application's
// pending signals (forwarder.h).
//
// Threads    the thread that has its turn (turn.h), mostly the worker
// Blocking   never; one call handles at most kMaxPerScan kernels, so that every queue has its turn.
//            ScanAll: until no further entry has ended; also waits for threads that read the same
//            signal
// Memory     none
// Errors     every kernel without a record is counted as a loss, once
#pragma once

#include <stdint.h>

#include "capture/queue/traced_queue.h"
#include "capture/worker/clock_map.h"
#include "model/record_sink.h"

namespace rtl::capture {

class Harvester {
 public:
  static constexpr uint32_t kLookAhead = 16;
  static constexpr uint32_t kMaxPerScan = 256;
  static constexpr uint32_t kSome = 16;
  static constexpr uint32_t kFetchAhead = 6;  // entries whose signals are prefetched
  // The number of ready signals that a queue may always have, however many queues there are.
  static constexpr uint32_t kReadyPerQueue = 512;
  // Agents that have a clock map; times of other agents are converted by the runtime.
  static constexpr uint32_t kClocks = 64;

  struct Progress {
    uint64_t finished = 0;  // finished entries
    uint64_t waiting = 0;   // remaining entries
    uint64_t forwards = 0;  // remaining entries with a pending signal of the application
    void Add(const Progress& other) {
      finished += other.finished;
      waiting += other.waiting;
      forwards += other.forwards;
    }
  };

  struct Services {
    HookState* state = nullptr;
    const HsaApi* api = nullptr;
    RecordSink* sink = nullptr;
    SignalPool* pool = nullptr;
    AppSignalTable* app_signals = nullptr;
    Forwarder* forwarder = nullptr;
    KernelCounting* counting = nullptr;  // null: no hardware counters are read
  };
  // `next_barrier`: continues the numbers of barriers of an earlier runtime.
  void Init(const Services& services, uint64_t next_barrier) {
    services_ = services;
    next_barrier_ = next_barrier;
  }
  uint64_t next_barrier() const { return next_barrier_; }

  // Handles ended entries of a live or dead queue.
  Progress Scan(TracedQueue* queue) { return Scan(queue, Reach::kAhead); }
  // Handles all ended entries, at any position in the queue. Returns the number of kernels.
  uint64_t ScanAll(TracedQueue* queue);
  // Handles at most kSome entries. Returns how many.
  uint64_t ScanSome(TracedQueue* queue) { return Scan(queue, Reach::kSome).finished; }
  // Counts the remaining entries of the queue as lost for the reason `why`, once. While the queue
  // exists, its kernels may still end: the application's pending signals are then still completed,
  // and the tracer's signals on such kernels are not returned, because the GPU may write to them.
  // For a destroyed queue the forwarder gives its entries back, which takes a moment.
  enum class Rest : uint8_t { kMayEnd, kQueueGone };
  // True if entries remain, because they may still end or the forwarder has not given them back.
  bool GiveUp(TracedQueue* queue, Loss why, Rest rest);
  // Refills the ready signals of the queue at the rate at which the queue takes them. `queues`: the
  // number of queues.
  void Supply(TracedQueue* queue, uint32_t queues);

  // The totals are published: from now on only signals are returned.
  void StopCounting() { counting_ = false; }

 private:
  // How far a scan goes. kAhead, for the worker: looks past at most kLookAhead entries that have
  // not ended, in any order. kAll, for a thread of the application: goes as far as the queue's
  // order allows an end, and waits for a thread that reads the same signal. kSome, also for a
  // thread of the application: stops at the first entry that has not ended.
  enum class Reach : uint8_t { kAhead, kAll, kSome };
  Progress Scan(TracedQueue* queue, Reach reach);
  bool TryFinish(TracedQueue* queue, const PendingChain::Cursor& at, Reach reach = Reach::kAhead);
  void FinishForward(TracedQueue* queue, Pending* entry);
  bool GiveUpEntry(Pending* entry, Rest rest);
  // Accounts for an ended kernel. True if `record` describes it.
  bool Account(TracedQueue* queue, const PendingChain::Cursor& at, SignalTimes times,
               DispatchRecord* record);
  bool Record(TracedQueue* queue, const PendingChain::Cursor& at, SignalTimes times,
              DispatchRecord* record);
  bool Describe(const TracedQueue& queue, const Pending& entry, SignalTimes times,
                DispatchRecord* record);
  bool WatcherWaits(const TracedQueue& queue, const Pending& entry) const;
  void TellEnd(TracedQueue* queue, Pending* entry, const DispatchRecord* record);
  void RecordBarrier(TracedQueue* queue, Pending* entry, const DispatchRecord& packet);
  bool Translate(const QueueIdentity& queue, SignalTimes times, uint64_t* start, uint64_t* end);
  void Recycle(TracedQueue* queue, hsa_signal_t signal);
  void PutRecycled();
  void CountLoss(TracedQueue* queue, Pending* entry, Loss why);
  void CountRecorded();
  static constexpr uint32_t kRecycled = 64;

  Services services_;
  uint64_t next_barrier_ = 1;
  bool counting_ = true;
  uint64_t recorded_ = 0;  // records written in the present scan
  uint64_t barriers_recorded_ = 0;
  // signals to return to the pool, whose lock is taken once for all of them
  uint32_t recycled_count_ = 0;
  hsa_signal_t recycled_[kRecycled];
  ClockMap clocks_[kClocks];  // indexed by the agent's number
};

}  // namespace rtl::capture
