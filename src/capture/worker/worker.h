// SPDX-License-Identifier: MIT
// worker.h: the thread that turns kernels into records. It looks at every queue in turn; nobody
// wakes it per dispatch. Signals owed to the application are another thread's (forwarder.h).
//
//   phase         entered by                                  left when
//   kTracing      Start                                       Stop is called
//   kDraining     Stop                                        nothing is in flight, or the budget
//                                                             is used up
//   kForwarding   the worker: totals are final                no signal is owed to the application
//   kExited       the worker, or at once by Join              -
//
// Pace: a look every 5 ms while kernels end, backing off to 10 ms while kernels only run and to 25
// ms when nothing does; sooner when a hook rings because a queue runs short of signals or has
// thousands of kernels waiting to be read. Each look costs the application's threads their cache
// lines, and a processor where none is free.
//
// Each look leaves its time in HookServices::beat, by which hooks know that the worker is alive.
//
// Threads    Start, Join: one at a time. Stop: any, several at once. None of them the worker itself
// Blocking   Stop: the budget, the time that may be waited for room, kStopGraceNs. Join: one pass
//            of the worker, at most kJoinNs: a worker that a disk holds up is left behind
// Errors     Start fails when no thread can be made
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "base/status.h"
#include "capture/hsa/queue_registry.h"
#include "capture/worker/harvester.h"
#include "model/records.h"

namespace rtl::capture {

// What the tracer itself did; any may be null. Written by the worker, relaxed.
struct CaptureCounters {
  std::atomic<uint64_t>* signals_created = nullptr;
  std::atomic<uint64_t>* signals_destroyed = nullptr;
  std::atomic<uint64_t>* queues_created = nullptr;
  std::atomic<uint64_t>* queues_destroyed = nullptr;
  std::atomic<uint64_t>* other_packets = nullptr;
  std::atomic<uint64_t>* hip_calls_seen = nullptr;  // written by the calls themselves
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

  // `first`: the numbers that the first records get.
  Status Start(HookServices* services, QueueRegistry* queues, const CaptureCounters& counters,
               Heartbeat heartbeat, Harvester::Numbers first);
  // After the hooks were disarmed. Returns when the totals are final.
  void Stop(uint64_t budget_ns);
  // Ends the thread, and the forwarder's. No HSA function is called afterwards.
  void Join();

  const Harvester& harvester() const { return harvester_; }

 private:
  enum class Phase : uint32_t { kTracing, kDraining, kForwarding, kExited };
  static constexpr uint64_t kBusyNs = 500'000;
  static constexpr uint64_t kSteadyNs = 5'000'000;
  static constexpr uint64_t kRunningNs = 10'000'000;
  static constexpr uint64_t kIdleNs = 25'000'000;
  static constexpr uint64_t kDrainNs = 50'000;
  static constexpr uint64_t kJoinNs = 5'000'000'000;
  static constexpr uint64_t kDeadQueueNs = 10'000'000;  // for what ends while its queue goes
  static constexpr uint64_t kCalmNs = 1'000'000'000;
  static constexpr uint32_t kTrimPerPass = 256;
  static constexpr uint64_t kFullRest = SignalCache::kCapacity / 2;  // kernels that ended meanwhile
  static constexpr uint64_t kStopGraceNs = 1'000'000'000;

  static void* Main(void* self);
  void Run();
  Harvester::Progress Pass(uint64_t now);
  void Bury(TracedQueue* queue);
  void Beat(const Harvester::Progress& progress, uint64_t now);
  void Rest(const Harvester::Progress& progress, uint64_t now);
  void Drain();
  bool AnyHookInside() const;
  bool Final() const { return finals_.load(std::memory_order_relaxed) != 0; }
  void FinishTotals();
  static QueueEndRecord QueueEnd(const TracedQueue& queue, uint64_t destroyed);
  void WriteQueueEnd(const QueueEndRecord& record);
  void PublishCounters();
  void SetPhase(Phase phase);

  HookServices* services_ = nullptr;
  QueueRegistry* queues_ = nullptr;
  CaptureCounters counters_;
  Heartbeat heartbeat_;
  Harvester harvester_;
  pthread_t thread_ = {};
  std::atomic<bool> started_{false};
  std::atomic<Phase> phase_{Phase::kExited};
  std::atomic<uint32_t> finals_{0};  // futex: 1 once the totals are final
  std::atomic<bool> leave_{false};
  std::atomic<uint64_t> deadline_{0};
  // The thread's own.
  uint64_t interval_ns_ = kSteadyNs;
  uint32_t live_queues_ = 1;
  uint64_t last_beat_ = 0;
  uint64_t last_progress_ = 0;
  uint64_t since_beat_ = 0;
  uint64_t since_rest_ = 0;
  uint64_t other_flushed_ = 0;
};

}  // namespace rtl::capture
