// SPDX-License-Identifier: MIT
// harvester.h: turns kernels (and barriers) that have ended into records, gives the application its signals and
// the pool ours.
//
// Each queue is looked at from its own oldest entry, so a queue that is held holds nobody else.
// Within a queue a few entries may overtake. Signals owed to the application are paid elsewhere
// (forwarder.h); an entry that owes one is recorded when that is settled.
//
// Threads    whoever has the turn (turn.h): mostly the worker
// Blocking   never; one call handles at most kMaxPerScan kernels, so that every queue has its turn.
//            ScanAll: until nothing more has ended, and for threads that look at the same signal
// Memory     none
// Errors     every kernel that yields no record is counted as a loss, once
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
  static constexpr uint32_t kFetchAhead = 6;  // entries
  // Ready signals that a queue may have, however many queues there are.
  static constexpr uint32_t kReadyPerQueue = 512;
  static constexpr uint32_t kClocks = 64;  // agents with a clock map; others use the runtime's

  struct Progress {
    uint64_t finished = 0;  // entries that were brought to an end
    uint64_t waiting = 0;   // entries that are left
    uint64_t forwards = 0;  // of these, how many owe the application a signal
    void Add(const Progress& other) {
      finished += other.finished;
      waiting += other.waiting;
      forwards += other.forwards;
    }
  };

  // Numbers go on from an earlier runtime's.
  struct Numbers {
    uint64_t dispatch = 1;
    uint64_t barrier = 1;
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
  void Init(const Services& services, Numbers first) {
    services_ = services;
    next_ = first;
  }
  Numbers next() const { return next_; }

  // Handles what has ended on a live or dead queue.
  Progress Scan(TracedQueue* queue) { return Scan(queue, Reach::kAhead); }
  // The same for all of it, wherever it is in the queue; how many kernels that were.
  uint64_t ScanAll(TracedQueue* queue);
  // The same for kSome at most.
  uint64_t ScanSome(TracedQueue* queue) { return Scan(queue, Reach::kSome).finished; }
  // Counts everything that is left on the queue as `why`, once. While the queue exists its kernels
  // may still end: signals owed to the application are then still paid, and ours on such kernels are
  // left alone, because the GPU may write to them. Of a queue that is gone the forwarder is asked
  // for what it holds; it takes a moment.
  enum class Rest : uint8_t { kMayEnd, kQueueGone };
  // True when something is left: it may still end, or is not yet settled.
  bool GiveUp(TracedQueue* queue, Loss why, Rest rest);
  // Keeps ready signals at the queue, one of `queues`, in step with what it takes.
  void Supply(TracedQueue* queue, uint32_t queues);

  // The totals have been handed over: from now on only signals are given back.
  void StopCounting() { counting_ = false; }

 private:
  // kAhead, the worker's: past kLookAhead that have not ended, whatever their order. The others are an
  // application's thread's. kAll: as far as something can have ended by the order of the queue, and
  // with patience for whoever looks at the same signal. kSome: not past what has not ended.
  enum class Reach : uint8_t { kAhead, kAll, kSome };
  Progress Scan(TracedQueue* queue, Reach reach);
  bool TryFinish(TracedQueue* queue, Pending* entry, Reach reach = Reach::kAhead);
  void FinishForward(TracedQueue* queue, Pending* entry);
  bool GiveUpEntry(Pending* entry, Rest rest);
  void Account(TracedQueue* queue, Pending* entry, SignalTimes times);
  void Record(TracedQueue* queue, Pending* entry, SignalTimes times);
  bool Describe(const TracedQueue& queue, const Pending& entry, SignalTimes times,
                DispatchRecord* record);
  bool WatcherWaits(const TracedQueue& queue, const Pending& entry) const;
  void TellEnd(TracedQueue* queue, Pending* entry, SignalTimes times);
  void RecordBarrier(TracedQueue* queue, Pending* entry, const DispatchRecord& packet);
  bool Translate(const QueueIdentity& queue, SignalTimes times, uint64_t* start, uint64_t* end);
  void Recycle(TracedQueue* queue, hsa_signal_t signal);
  void CountLoss(TracedQueue* queue, Pending* entry, Loss why);
  void CountRecorded();

  Services services_;
  Numbers next_;
  bool counting_ = true;
  uint64_t recorded_ = 0;  // of the present scan
  uint64_t barriers_recorded_ = 0;
  ClockMap clocks_[kClocks];  // by agent number
};

}  // namespace rtl::capture
