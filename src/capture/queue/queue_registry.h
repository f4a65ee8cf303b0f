// SPDX-License-Identifier: MIT
// queue_registry.h: the existing queues, and the hooks for creating and destroying queues.
//
//   created by                            packets are seen
//   hsa_queue_create                      as the runtime requires (mode_choice.h): on an intercept
//                                         queue in its place, or at its doorbell
//   the same while kernels are counted    as they are moved to the queue that the GPU reads
//                                         (moved_queue.h)
//   hsa_queue_create, cooperative         at its doorbell: there is one per agent, and every caller
//                                         gets the same
//   hsa_amd_queue_intercept_create,       by a hook behind the caller's own
//   called by another tool
//   hsa_amd_queue_create                  at its doorbell; the queue is as the caller described
//   hsa_soft_queue_create                 not at all: no GPU reads it
//   anyone, before the hooks were there   at its doorbell, from the next reserved packet on
//
// Why        docs/adr/0007-ways-of-queues.md
// Threads    Create…, Destroy: any. first(): the worker; the list only grows at its head
// Blocking   as long as the runtime's own functions
// Memory     a queue object is mapped when more queues exist at once than ever before; it is kept
// Errors     the application gets the results of the untraced call. A queue that can be created but
//            not traced is created untraced, and a warning is written and counted
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/config.h"
#include "base/mutex.h"
#include "capture/hsa/agents.h"
#include "capture/hsa/submitted_slots.h"
#include "capture/queue/doorbells.h"
#include "capture/queue/moved_queue.h"
#include "capture/queue/queue_mover.h"
#include "capture/queue/traced_queue.h"

namespace rtl::capture {

class QueueWatcher;

// The ways in which a queue's packets are seen.
enum class QueueWay : uint8_t {
  kIntercept,
  kDoorbell,
  kMoved,
};

class QueueRegistry {
 public:
  QueueRegistry() = default;
  QueueRegistry(const QueueRegistry&) = delete;
  QueueRegistry& operator=(const QueueRegistry&) = delete;
  ~QueueRegistry();

  struct Options {
    const Agents* agents = nullptr;
    SubmittedSlots submitted;
    QueueMethod method = QueueMethod::kIntercept;
    QueueWatcher* watcher = nullptr;  // may be null
    bool guard_rings = false;         // prevent intercept queues from filling the hardware ring
    uint32_t first_queue = 1;         // the number of the first queue
  };
  void Init(QueueServices* services, const Options& options);
  uint32_t next_queue() const { return next_queue_.load(std::memory_order_relaxed); }

  // Replace hsa_queue_create and hsa_queue_destroy.
  hsa_status_t Create(const QueueRequest& request, hsa_queue_t** queue);
  // Replace hsa_amd_queue_intercept_create and hsa_amd_queue_create.
  hsa_status_t CreateIntercept(const QueueRequest& request, hsa_queue_t** queue);
  hsa_status_t CreateDescribed(hsa_agent_t agent, QueueDescriptor* descriptors, uint32_t count);
  hsa_status_t Destroy(hsa_queue_t* queue);
  // Adopts a queue that was created before the hooks were installed: its packets are seen at the
  // doorbell from index `first` on, which a thread has just reserved. If the queue cannot be
  // traced, a warning is written.
  void AdoptRunning(const hsa_queue_t* queue, uint64_t first);
  // Tools join: from now on every queue reports to their watcher and notes the origins of its
  // packets. False if there is no memory.
  bool TellOf(SubmissionWatcher* watcher, OriginTable* origins);
  // Replaces hsa_amd_profiling_set_profiler_enabled: profiling of a traced queue stays enabled,
  // because its kernels would end without times otherwise.
  hsa_status_t SetProfiling(hsa_queue_t* queue, int enable);
  // Returns `queue`, or, if it is a moved queue, the queue that the GPU reads.
  hsa_queue_t* GpuQueueOf(const hsa_queue_t* queue);
  // Called when the trace ends and the program goes on: switches off the timing of those queues for
  // which the tracer has switched it on.
  void Leave();
  // From now on no packets are moved. Called before the runtime is unloaded with its queues.
  void StopMoving() { mover_.Stop(); }

  Doorbells& doorbells() { return doorbells_; }
  TracedQueue* first() const { return first_.load(std::memory_order_acquire); }
  // For the worker, when no hook runs any more: counts the packets of live queues that no hook got.
  void CountMissed();
  // For the worker: a dead queue is finished, so its object can be reused.
  void Recycle(TracedQueue* queue);

  uint64_t created() const { return created_.load(std::memory_order_relaxed); }
  uint64_t destroyed() const { return destroyed_.load(std::memory_order_relaxed); }
  uint64_t untraced() const { return untraced_.load(std::memory_order_relaxed); }

 private:
  TracedQueue* Acquire();
  TracedQueue* FindLocked(hsa_queue_t* queue) const RTL_REQUIRES(mutex_);
  bool TakeGuardSignals(hsa_signal_t* signals);
  QueueWay WayOf(const QueueRequest& request) const;
  Status MakeQueue(const QueueRequest& request, TracedQueue* traced, hsa_queue_t** queue);
  Status MakeMoved(const QueueRequest& request, TracedQueue* traced, hsa_queue_t** queue);
  // Destroys the queue, and for a moved queue also the queue that the GPU reads.
  hsa_status_t DestroyBoth(hsa_queue_t* queue, TracedQueue* traced);
  Status Hook(hsa_queue_t* queue, TracedQueue* traced, const QueueIdentity& identity, QueueWay way,
              uint64_t first);
  Status HookIntercept(hsa_queue_t* queue, TracedQueue* traced, const QueueIdentity& identity);
  Status Trace(hsa_queue_t* queue, hsa_agent_t agent, TracedQueue* traced, QueueWay way,
               uint64_t first = 0);
  bool Share(hsa_queue_t* queue);
  TracedQueue::Missed FindMissed(const TracedQueue& traced, const hsa_queue_t* queue) const;
  void Enter(hsa_queue_t* queue, TracedQueue* traced);
  bool Adopt(hsa_queue_t* queue, hsa_agent_t agent, QueueWay way, uint64_t first = 0);
  bool AgentOf(hsa_queue_t* queue, hsa_agent_t* agent) const;
  bool Passing() const;
  bool Ended() const;
  // Returns null if the queue cannot be created or traced; `why` has the reason.
  hsa_queue_t* CreateTraced(const QueueRequest& request, TracedQueue* traced, Status* why);
  void Announce(const TracedQueue& traced, uint32_t size);
  QueueCounter* SubmittedSlot(uint32_t ordinal) const;
  void WarnUntraced(const Status& why, hsa_queue_t* queue);
  void WarnUnknownDescriptor(uint16_t version);
  void Warn(const char* text);

  QueueServices* services_ = nullptr;
  HookState* state_ = nullptr;
  Options options_;
  Doorbells doorbells_;
  QueueMover mover_;
  std::atomic<uint64_t> created_{0}, destroyed_{0}, untraced_{0};
  Mutex mutex_{Rank::kQueues};
  std::atomic<TracedQueue*> first_{nullptr};  // written under mutex_, with release
  uint32_t objects_ RTL_GUARDED_BY(mutex_) = 0;
  std::atomic<uint32_t> next_queue_{1};
  // Queues that were in use before the hooks were installed and cannot be traced.
  static constexpr uint32_t kMostRefused = 64;
  Mutex adopting_{Rank::kAdopting};
  std::atomic<const hsa_queue_t*> refused_[kMostRefused] = {};
  uint32_t refused_count_ RTL_GUARDED_BY(adopting_) = 0;
};

}  // namespace rtl::capture
