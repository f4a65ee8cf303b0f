// SPDX-License-Identifier: MIT
// traced_queue.h: one traced queue. It has the hook that gets the queue's packets, and the data
// that the hook and the worker share.
//
//   state     set by                          hook        worker
//   kFree     worker, at the end of kDead     -           skips it
//   kLive     Open, by hsa_queue_create       runs        harvests
//   kDead     Close, by hsa_queue_destroy     never again harvests, then counts the rest, frees
//
// Threads    OnPackets: the queue's lock is held (the runtime's own, or that of doorbells.h), so
//            one thread at a time. Open, Close: the thread in hsa_queue_create or
//            hsa_queue_destroy. Comments at the members say which of them the worker may use
// Blocking   OnPackets: never, except for a full hardware ring (ring_guard.h) and, when the worker
//            is tens of thousands of kernels behind, 2 ms to let it run, or as long as configured
//            (RTL_LOSSLESS)
// Memory     never freed, but reused for a later queue, because a hook that is late must find valid
//            memory
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/bell.h"
#include "capture/hsa/packet.h"
#include "capture/hsa/queue_identity.h"
#include "capture/queue/hook_state.h"
#include "capture/queue/kernel_cache.h"
#include "capture/queue/packet_origins.h"
#include "capture/queue/queue_counts.h"
#include "capture/queue/queue_ring.h"
#include "capture/queue/ring_guard.h"
#include "capture/queue/signal_stock.h"
#include "capture/queue/worker_progress.h"
#include "capture/signal/app_signals.h"
#include "capture/signal/pending_chain.h"
#include "capture/signal/signal_pool.h"
#include "model/queue_counter.h"
#include "model/record_sink.h"

namespace rtl::capture {

class Forwarder;
class KernelCounting;
class MovedQueue;
class SignalMarks;
class SubmissionWatcher;

// The services that the hooks of all queues share. One object per process, set before the first
// queue opens.
struct QueueServices {
  HookState* state = nullptr;
  const HsaApi* api = nullptr;
  RecordSink* sink = nullptr;
  KernelLookup* kernels = nullptr;
  SignalPool* pool = nullptr;
  AppSignalTable* app_signals = nullptr;
  Bell* bell = nullptr;
  Forwarder* forwarder = nullptr;
  SignalMarks* marks = nullptr;          // null: loads of signals are not hooked
  OriginTable* origins = nullptr;        // null: API calls are not recorded
  SubmissionWatcher* watcher = nullptr;  // may be null
  InFlightMemory* in_flight = nullptr;   // memory of the chains; null: private memory
  KernelCounting* counting = nullptr;    // do not change packets that have a signal
  bool lite = false;                     // do not change packets with a signal
  bool whole_batches = false;            // record packets of batches, too
  bool barriers = false;                 // record barrier packets, too
  bool always_forward = false;           // never leave the application's signal in place
  uint32_t pending_limit = 0;
  uint64_t room_wait_ns = 0;  // longest time that a hook waits for room; zero: 2 ms
  // if the worker makes no pass for this time, it is suspected to be stalled
  int64_t stall_ns = INT64_MAX;
};

class TracedQueue {
 public:
  enum class State : uint8_t { kFree, kLive, kDead };

  TracedQueue() = default;
  TracedQueue(const TracedQueue&) = delete;
  TracedQueue& operator=(const TracedQueue&) = delete;

  // Prepares a free object before the runtime gets the hook. `seen`: counts kernel packets; null:
  // the sink counts them. `size`: packets in the queue's ring. False if there is no memory.
  bool Open(QueueServices* services, QueueCounter* submitted, uint32_t size);
  // Called when the queue exists. `guard_signals`: the signals for RingGuard::Init; null: no guard.
  void Start(const QueueIdentity& identity, const hsa_queue_t& queue,
             const hsa_signal_t* guard_signals);
  // Sets the watcher of tools that join while the queue is in use; it is used from the next packet
  // on.
  void Tell(SubmissionWatcher* watcher) { __atomic_store_n(&watcher_, watcher, __ATOMIC_RELEASE); }
  // The queue was destroyed: no hook will run again.
  void Close(uint64_t now);

  // The callback that the runtime calls with packets. `data` is the TracedQueue.
  static void OnPackets(const void* packets, uint64_t count, uint64_t user_index, void* data,
                        PacketWriter write);

  // Under the lock of OnPackets: sets the thread that reserved the next packets, when another
  // thread passes them. Zero: the calling thread.
  void ShowFor(uint32_t thread) { shown_for_ = thread; }
  // Counts packets that the hook does not get (kTakenEarly, kNotWritten). Called instead of
  // OnPackets, under the same lock.
  void OnMissed(Loss why, uint64_t packets);
  // Counts packets that bypass OnPackets while the hooks are disarmed.
  void OnLate(uint64_t packets, uint64_t kernels) {
    counts_.CountLate(EventKind::kKernel, kernels);
    counts_.NotePassed(packets);
  }
  // Called for a packet that no tool wants, before it is submitted: a kernel in flight may have the
  // same signal. Under the lock of OnPackets.
  void OnUnwanted(const AqlPacket& packet) {
    services_->app_signals->BeforeReuse(packet.barrier.completion_signal);
  }
  // Called while no hook runs: finds packets that the hook did not get. `read` and `written` are
  // the queue's indices. The GPU has taken the packets below `read`; their type is not known, so
  // each may have been a kernel. From `read` on only kernels that are in the ring count. The write
  // index alone proves nothing: a program may reserve packets that it never writes, and may store
  // any value.
  struct Missed {
    uint64_t taken_early = 0;
    uint64_t not_rung = 0;
  };
  Missed FindMissed(uint64_t read, uint64_t written) const;
  // Counts them as submitted and lost. Needs no lock, because no hook runs.
  void CountMissed(const Missed& missed) {
    counts_.CountMissed(Loss::kTakenEarly, missed.taken_early);
    counts_.CountMissed(Loss::kNotRung, missed.not_rung);
  }
  QueueCounts& counts() { return counts_; }
  const QueueCounts& counts() const { return counts_; }

  State state() const { return state_.load(std::memory_order_acquire); }
  bool InHook() const { return in_hook_.load(std::memory_order_acquire) != Hook::kOutside; }
  // True if packets of the hook may have reached the device before their entries are published.
  bool HandsOn() const { return in_hook_.load(std::memory_order_acquire) == Hook::kHandsOn; }
  const QueueIdentity& identity() const { return identity_; }
  uint64_t closed_at() const { return closed_at_; }
  // For the worker, after chain().Available(): the number of published entries with a forwarded
  // signal, at least as many as are visible in the chain.
  uint64_t forwards_published() const { return forwards_.load(std::memory_order_relaxed); }

  SubmissionWatcher* watcher() const { return watcher_; }
  PacketOrigins& origins() { return origins_; }

  // The rest is for the worker.
  PendingChain& chain() { return chain_; }
  SignalStock& signals() { return signals_; }
  // For a dead queue: returns every ready signal to the pool, also the signals of the ring's guard,
  // which are in use as long as the queue is.
  void ReleaseSignals(SignalPool* pool);
  void SetFree() { state_.store(State::kFree, std::memory_order_release); }

  // Used by QueueRegistry, under its lock. `next` and `ordinal` are set once.
  TracedQueue* next = nullptr;
  uint32_t ordinal = 0;
  bool reserved = false;
  hsa_queue_t* registered = nullptr;
  uint32_t more_owners = 0;  // how many more times hsa_queue_create has returned this queue
  // null: the packets are not moved; written when the moved queue is made or destroyed
  MovedQueue* moved = nullptr;
  bool timed_by_us = false;  // its kernels have times only because the tracer enabled them

  // For a thread that waits until the hook publishes: PendingChain::Produced at which a wait timed
  // out.
  std::atomic<uint64_t> hung_at{UINT64_MAX};

  // For the thread that has its turn.
  struct alignas(64) WorkerView {
    uint64_t forwards_done = 0;
    uint64_t taken_before = 0;
    uint64_t other_before = 0;
  } view;

 private:
  enum class Hook : uint8_t { kOutside, kInside, kHandsOn };
  class HookScope;
  // Works for kernels and for barriers of any kind, which have the completion signal at the same
  // offset.
  template <typename Packet>
  Pending* Attach(const Packet& packet, uint64_t index, hsa_signal_t* completion, Loss* loss);
  Pending* AttachBarrier(AqlPacket* packet, uint64_t index);
  void Fill(Pending* entry, const hsa_barrier_and_packet_t& packet, uint64_t index, uint64_t now);
  static void FillBarrier(Pending* entry, const hsa_barrier_and_packet_t& packet);
  // Each of these functions has one caller, in traced_queue.cpp, which runs for every kernel. A
  // function call would cost noticeable time.
  [[gnu::always_inline]] inline void Fill(Pending* entry,
                                          const hsa_kernel_dispatch_packet_t& packet,
                                          uint64_t index, uint64_t now);
  [[gnu::always_inline]] inline void FillOrigin(Pending* entry, uint64_t index);
  [[gnu::always_inline]] inline void Publish(const Pending& entry);
  void Mark(hsa_signal_t signal);
  void MarkUnknown(hsa_signal_t signal);
  void TellWatcher(Pending* entry);
  void OnOne(const AqlPacket& packet, uint64_t index, PacketWriter write);
  bool WaitForRing();
  void SubmitCounted(const AqlPacket& packet, Pending* entry, PacketWriter write);
  void TellShown(uint64_t index, uint64_t count);
  void Submit(const AqlPacket& packet, PacketWriter write);
  void OnOther(const AqlPacket& packet, uint64_t index, PacketWriter write);
  void NoteBarrier(const AqlPacket& packet, uint64_t index);
  void OnBarrier(AqlPacket packet, uint64_t index, PacketWriter write);
  void OnBatch(const void* packets, uint64_t count, uint64_t user_index, PacketWriter write);
  void CountBatch(const void* packets, uint64_t count, uint64_t user_index, PacketWriter write);
  void PassBatch(const void* packets, uint64_t count, uint64_t user_index, PacketWriter write);
  void RecordBatch(AqlPacket* packets, uint64_t count, uint64_t user_index, PacketWriter write);
  void SkipBatch(const void* packets, uint64_t count, Loss why, PacketWriter write);
  void PassThrough(const void* packets, uint64_t count, PacketWriter write);
  void PassDisarmed(const void* packets, uint64_t count, PacketWriter write);
  void PassUnwanted(const void* packets, uint64_t count, PacketWriter write);

  // The data that the hook uses per packet is on other cache lines than the data that the worker
  // reads for every record. Otherwise hook and worker would slow each other down.

  // Written when the queue opens or closes, and rarely otherwise; read by the hook and the worker.
  alignas(64) QueueServices* services_ = nullptr;
  HookState* hook_state_ = nullptr;
  std::atomic<State> state_{State::kFree};
  uint64_t closed_at_ = 0;
  QueueIdentity identity_;
  QueueCounts counts_;

  // Written by the hook.
  alignas(64) std::atomic<Hook> in_hook_{Hook::kOutside};
  uint32_t shown_for_ = 0;
  std::atomic<uint64_t> forwards_{0};  // written before the entry is published
  RingGuard guard_;
  QueueRing ring_;
  WorkerProgress worker_;
  KernelCache kernels_;

  PendingChain chain_;
  SignalStock signals_;
  PacketOrigins origins_;
  SubmissionWatcher* watcher_ = nullptr;  // constant while the queue is in use, unless tools join
};

}  // namespace rtl::capture
