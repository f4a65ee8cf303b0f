// SPDX-License-Identifier: MIT
// harvester.h: turns kernels that have ended into records, gives the application its signals and
// the pool ours.
//
// Each queue is looked at from its own oldest entry, so a queue that is held holds nobody else.
// Within a queue a few entries may overtake; a queue that owes the application a signal is looked
// at to its end.
//
// Threads    the worker. WaitForForward: any
// Blocking   never; one call handles at most kMaxPerScan kernels, so that every queue has its turn
// Memory     none
// Errors     every kernel that yields no record is counted as a loss, once
#pragma once

#include <stdint.h>

#include <atomic>

#include "capture/hsa/traced_queue.h"
#include "capture/worker/clock_map.h"
#include "model/record_sink.h"

namespace rtl::capture {

class Harvester {
 public:
  static constexpr uint32_t kLookAhead = 16;
  static constexpr uint32_t kMaxPerScan = 256;
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

  void Init(HookServices* services, uint64_t first_dispatch) {
    services_ = services;
    next_dispatch_ = first_dispatch;
  }
  uint64_t next_dispatch() const { return next_dispatch_; }

  // Handles what has ended on a live or dead queue.
  Progress Scan(TracedQueue* queue);
  // Counts everything that is left on the queue as `why`. While the queue exists its kernels may
  // still end: signals owed to the application are then paid by later Scans, and ours on such
  // kernels are left alone, because the GPU may write to them.
  enum class Rest : uint8_t { kMayEnd, kQueueGone };
  // True when something may still end.
  bool GiveUp(TracedQueue* queue, Loss why, Rest rest);
  // Keeps ready signals at the queue, one of `queues`, in step with what it takes.
  void Supply(TracedQueue* queue, uint32_t queues);

  // The totals have been handed over: from now on only signals are given back.
  void StopCounting() { counting_ = false; }

  // Any thread: returns when the worker is not just completing `signal`; bounded.
  void WaitForForward(hsa_signal_t signal) const;

 private:
  bool TryFinish(TracedQueue* queue, Pending* entry);
  void Forward(const Pending& entry, SignalTimes times);
  void Record(TracedQueue* queue, const Pending& entry, SignalTimes times);
  bool Translate(const QueueIdentity& queue, SignalTimes times, uint64_t* start, uint64_t* end);
  void Recycle(TracedQueue* queue, hsa_signal_t signal);
  void CountLoss(TracedQueue* queue, Loss why);

  HookServices* services_ = nullptr;
  uint64_t next_dispatch_ = 1;
  bool counting_ = true;
  uint64_t recorded_ = 0;  // of the present scan
  std::atomic<uint64_t> forwarding_{0};
  ClockMap clocks_[kClocks];  // by agent number
};

}  // namespace rtl::capture
