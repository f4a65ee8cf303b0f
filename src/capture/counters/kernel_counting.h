// SPDX-License-Identifier: MIT
// kernel_counting.h: counts hardware events of single kernels. A GPU has only one set of counters,
// so its kernels run one at a time while a user counts:
//
//   on a GPU with one queue    start counters │ kernel │ stop │ read ──► done
//   on a GPU with more         ──► arrived │ wait for the gate │ start … done, as with one queue
//
// Each line shows the packets of one kernel in its queue. The counting thread sees which queues
// have arrived at a gate, opens one gate at a time, reads the values of kernels that are done, and
// reports these values when the engine also has the kernel's times.
//
// No packet waits for the values of a kernel without a gate. The thread polls for these values, so
// neither the GPU nor the application has to wake it for each kernel.
//
// Two kernels that wait for each other on two queues would never end if they took turns. So when a
// kernel has made other queues wait longer than the bound, the turns are suspended: the waiting
// kernels run at once, none of them gets values, and each is counted as kCoDependent.
//
// Threads    Surround: the application's, under the lock of its queue. KernelEnded, KernelLost: the
//            engine's worker. Settle: any
// Blocking   Surround: at most kRoomMs, when kMostJobs kernels are in flight; never, if the caller
//            checks HasRoom before. QueueGone: at most kQueueMs, for values that are still to be
//            read. Settle, Stop: bounded
// Memory     one job for each kernel in flight; jobs are kept and reused
// Errors     a kernel without values is reported to NotCounted with the name of the loss
// Why        docs/adr/0060-counters.md
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "base/bell.h"
#include "base/mutex.h"
#include "base/status.h"
#include "capture/counters/counter_device.h"
#include "capture/counters/counter_memory.h"
#include "capture/counters/counter_user.h"
#include "capture/hsa/agents.h"
#include "capture/hsa/hsa_api.h"
#include "counters/aqlprofile.h"

namespace rtl::capture {

class KernelCounting {
 public:
  static constexpr uint32_t kMostJobs = 512;
  static constexpr uint32_t kMostPackets = 6;  // most packets that one kernel needs

  struct Options {
    const HsaApi* api = nullptr;
    void* root_table = nullptr;
    const Agents* agents = nullptr;
    CounterUser* user = nullptr;
    const char* library = nullptr;  // path of AMD's library; null: the loader searches for it
    uint64_t bound_ns = 5'000'000'000;
  };
  KernelCounting() = default;
  KernelCounting(const KernelCounting&) = delete;
  KernelCounting& operator=(const KernelCounting&) = delete;

  Status Start(const Options& options);
  bool started() const { return started_; }
  // True if Surround will find a job at once, even if every queue calls it at the same time. Also
  // true after Stop, when kernels need no job.
  bool HasRoom() const {
    return in_flight_.load(std::memory_order_relaxed) < kMostJobs - kSpare ||
           stop_.load(std::memory_order_relaxed);
  }

  // A queue into which the tracer may put packets has been created, or is about to be destroyed.
  void QueueMade(const QueueIdentity& queue);
  void QueueGone(const QueueIdentity& queue);

  // Writes the packets that replace this kernel's packet, at most kMostPackets. Returns how many.
  // `kernel`: null when the engine will not see the kernel's end. `*job`: the number to pass to
  // KernelEnded; zero: none.
  uint32_t Surround(const AqlPacket& packet, const DispatchRecord* kernel,
                    const QueueIdentity& queue, AqlPacket* out, uint32_t* job);
  // Reports NotCounted for a kernel in a queue into which the tracer puts no packets.
  void Uncountable(const DispatchRecord& kernel, const QueueIdentity& queue, Loss why);
  uint64_t bound_ns() const { return options_.bound_ns; }

  void KernelEnded(uint32_t job, const DispatchRecord& kernel);
  void KernelLost(uint32_t job, Loss why);

  // Reports all values of kernels that have ended. False: not in time.
  bool Settle();
  // Reports the remaining values within the budget. Values that come later are lost, and later
  // kernels are not counted. Idempotent.
  void Stop(uint64_t budget_ns);

 private:
  using State = CounterJob::State;
  static constexpr uint32_t kMostQueues = 512;
  static constexpr uint32_t kMostValues = 16384;
  static constexpr uint32_t kSpare = 64;
  static constexpr uint64_t kIdleNs = 1'000'000'000;
  // polls without a kernel in flight before the thread sleeps
  static constexpr uint32_t kIdleLooks = 20;
  static constexpr uint64_t kPollNs = 500'000;
  static constexpr uint64_t kSoonNs = 1'000'000;
  static constexpr uint32_t kBatch = 64;
  static constexpr uint32_t kTurn = 16;
  static constexpr uint32_t kRoomMs = 2'000;
  static constexpr uint32_t kQueueMs = 1'000;
  static constexpr uint64_t kSettleNs = 1'000'000'000;

  // The jobs of one queue, in the order of their kernels.
  struct Line {
    uint32_t queue = 0;  // QueueIdentity::queue; zero: the line is free
    CounterDevice* device = nullptr;
    CounterJob* first = nullptr;
    CounterJob* last = nullptr;
  };

  struct Room {
    CounterDevice devices[Agents::kMaxAgents];  // indexed by the agent's number - 1
    CounterValue values[kMostValues];           // used by the counting thread only
  };

  static void* Main(void* self);
  void Run();
  hsa_signal_t NextSignal();
  void Wait();
  void Look();
  bool LookAt(Line* line) RTL_REQUIRES(mutex_);
  void TakeTurns(uint64_t now) RTL_REQUIRES(mutex_);
  void LetGo(CounterDevice* device, uint64_t now) RTL_REQUIRES(mutex_);
  void Admit(CounterJob* job, uint64_t now) RTL_REQUIRES(mutex_);
  void AdmitTurn(CounterJob* first, uint64_t now) RTL_REQUIRES(mutex_);
  void Finish(CounterJob* job) RTL_REQUIRES(mutex_);
  void HandOutAll();
  void HandOut(CounterJob* job);
  void Lose(CounterJob* job, Loss why) RTL_REQUIRES(mutex_);
  void Ring();
  Line* LineOf(uint32_t queue) RTL_REQUIRES(mutex_);
  CounterJob* Enter(const CounterSet* set, const QueueIdentity& queue, bool gated, uint64_t packet,
                    Loss* why);
  CounterJob* EnterNow(const CounterSet* set, Line* line, bool gated, uint64_t packet, Loss* why)
      RTL_REQUIRES(mutex_);
  bool Busy(uint32_t queue);
  bool AnyToHandOut();
  CounterDevice* DeviceOf(const QueueIdentity& queue);
  void GiveUpRest();
  void Close(uint64_t budget_ns, uint64_t limit);

  bool started_ = false;
  Options options_;
  counters::AqlProfile library_;
  CounterMemory memory_;
  Bell bell_;
  std::atomic<bool> idle_{false};  // the thread sleeps until Ring is called
  uint32_t idle_looks_ = 0;        // used by the counting thread only
  pthread_t thread_ = {};
  std::atomic<bool> stop_{false};
  std::atomic<bool> stopped_{false};  // Stop was called
  std::atomic<bool> over_{false};     // Stop has finished
  std::atomic<uint32_t> thread_id_{0};
  Mutex mutex_{Rank::kCounting};
  Line lines_[kMostQueues] RTL_GUARDED_BY(mutex_);
  uint32_t line_count_ RTL_GUARDED_BY(mutex_) = 0;
  // jobs in flight, indexed by their number - 1
  CounterJob* jobs_[kMostJobs] RTL_GUARDED_BY(mutex_) = {};
  uint32_t numbers_ RTL_GUARDED_BY(mutex_) = 0;              // how many numbers have been used
  uint16_t free_numbers_[kMostJobs] RTL_GUARDED_BY(mutex_);  // used numbers that are free again
  uint32_t free_count_ RTL_GUARDED_BY(mutex_) = 0;
  std::atomic<uint32_t> in_flight_{0};  // written under mutex_
  // mapped by Start, because it takes megabytes that a trace without counters does not need
  Room* room_ = nullptr;
};

}  // namespace rtl::capture
