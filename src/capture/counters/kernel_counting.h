// SPDX-License-Identifier: MIT
// kernel_counting.h: counts hardware events of single kernels. A GPU has one set of counters, so
// its kernels take turns while one of its users counts:
//
//   on a GPU with one queue    start counters │ kernel │ stop │ read ──► done
//   on a GPU with more         ──► arrived │ wait for the gate │ as above
//
// These are the packets of one kernel in its queue. The counting thread sees which queue has
// arrived at a kernel, opens one gate at a time, reads the values of what is done, and hands them
// out when the engine has the kernel's times, too.
//
// Nothing waits for the values of a kernel without a gate: the thread looks at them now and then,
// so that neither the GPU nor the application wakes it for each.
//
// Kernels of two queues that wait for each other would never end. So a kernel that lets others
// wait longer than the bound lets them go: they run at once, none of them has values, and each is
// counted as kCoDependent.
//
// Threads    Surround: the application's, under the lock of its queue. KernelEnded, KernelLost: the
//            engine's worker. Settle: any
// Blocking   Surround: at most kRoomMs, when kMostJobs kernels are in flight; never, where HasRoom
//            is looked at before. QueueGone: at most kQueueMs, for what is still to be read.
//            Settle, Stop: bounded
// Memory     a job for each kernel in flight, kept
// Errors     a kernel without values is NotCounted, by name
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
  static constexpr uint32_t kMostPackets = 6;  // for one kernel

  struct Options {
    const HsaApi* api = nullptr;
    void* root_table = nullptr;
    const Agents* agents = nullptr;
    CounterUser* user = nullptr;
    const char* library = nullptr;  // null: as the loader finds it
    uint64_t bound_ns = 5'000'000'000;
  };
  KernelCounting() = default;
  KernelCounting(const KernelCounting&) = delete;
  KernelCounting& operator=(const KernelCounting&) = delete;

  Status Start(const Options& options);
  bool started() const { return started_; }
  // Surround finds a job at once, though every queue may ask at the same time.
  // Once it is over nothing needs room.
  bool HasRoom() const {
    return in_flight_.load(std::memory_order_relaxed) < kMostJobs - kSpare ||
           stop_.load(std::memory_order_relaxed);
  }

  // A queue that takes packets of ours has been made, or is about to be destroyed.
  void QueueMade(const QueueIdentity& queue);
  void QueueGone(const QueueIdentity& queue);

  // The packets that are to stand for this kernel, at most kMostPackets; how many. `kernel`: null
  // when the engine will not know its end. `job`: what the engine is to call it; zero: nothing.
  uint32_t Surround(const AqlPacket& packet, const DispatchRecord* kernel,
                    const QueueIdentity& queue, AqlPacket* out, uint32_t* job);
  // A kernel of a queue that takes no packets of ours.
  void Uncountable(const DispatchRecord& kernel, const QueueIdentity& queue, Loss why);
  uint64_t bound_ns() const { return options_.bound_ns; }

  void KernelEnded(uint32_t job, const DispatchRecord& kernel);
  void KernelLost(uint32_t job, Loss why);

  // Reports all values of kernels that have ended. False: not in time.
  bool Settle();
  // Reports the remaining values within the budget; the rest is lost, as are kernels after it.
  // Idempotent.
  void Stop(uint64_t budget_ns);

 private:
  using State = CounterJob::State;
  static constexpr uint32_t kMostQueues = 512;
  static constexpr uint32_t kMostValues = 16384;
  static constexpr uint32_t kSpare = 64;
  static constexpr uint64_t kIdleNs = 1'000'000'000;
  static constexpr uint32_t kIdleLooks = 20;  // without a kernel in flight, before it sleeps
  static constexpr uint64_t kPollNs = 500'000;
  static constexpr uint64_t kSoonNs = 1'000'000;
  static constexpr uint32_t kBatch = 64;
  static constexpr uint32_t kTurn = 16;
  static constexpr uint32_t kRoomMs = 2'000;
  static constexpr uint32_t kQueueMs = 1'000;
  static constexpr uint64_t kSettleNs = 1'000'000'000;

  // Jobs of one queue, in its order.
  struct Line {
    uint32_t queue = 0;  // QueueIdentity::queue; zero: free
    CounterDevice* device = nullptr;
    CounterJob* first = nullptr;
    CounterJob* last = nullptr;
  };

  struct Room {
    CounterDevice devices[Agents::kMaxAgents];  // by the agent's number - 1
    CounterValue values[kMostValues];           // the thread's
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
  std::atomic<bool> idle_{false};  // the thread sleeps until it is rung for
  uint32_t idle_looks_ = 0;        // the thread's
  pthread_t thread_ = {};
  std::atomic<bool> stop_{false};
  std::atomic<bool> stopped_{false};  // Stop was called
  std::atomic<bool> over_{false};     // and has been done
  std::atomic<uint32_t> thread_id_{0};
  Mutex mutex_{Rank::kCounting};
  Line lines_[kMostQueues] RTL_GUARDED_BY(mutex_);
  uint32_t line_count_ RTL_GUARDED_BY(mutex_) = 0;
  CounterJob* jobs_[kMostJobs] RTL_GUARDED_BY(mutex_) = {};  // in flight, by number - 1
  uint32_t numbers_ RTL_GUARDED_BY(mutex_) = 0;              // that have been used
  uint16_t free_numbers_[kMostJobs] RTL_GUARDED_BY(mutex_);  // of these, those in no use
  uint32_t free_count_ RTL_GUARDED_BY(mutex_) = 0;
  std::atomic<uint32_t> in_flight_{0};  // written under mutex_
  Room* room_ = nullptr;  // mapped by Start: megabytes that a trace without counters does not touch
};

}  // namespace rtl::capture
