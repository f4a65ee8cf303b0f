// SPDX-License-Identifier: MIT
// queue_counts.h: what became of the packets of one queue, in numbers. A kernel packet counts as
// submitted, and as lost when it has no record; other packets only count. Packets that pass while
// no hook is armed, or while no tool wants them, have passed. Kernels, others and passed packets
// together are the queue's write index, so a packet that no hook was given can be found.
//
// Threads    lost, AddLoss: any. CountMissed: also while no hook runs. The rest: under the lock of
//            TracedQueue::OnPackets, or in the child of a fork
// Blocking   never
#pragma once

#include <stdint.h>

#include <atomic>

#include "capture/queue/hook_state.h"
#include "model/losses.h"
#include "model/queue_counter.h"
#include "model/record_sink.h"

namespace rtl::capture {

class QueueCounts {
 public:
  // For a queue that opens. `counter`: of kernel packets; null: the sink counts. `barriers`:
  // barrier packets are events, too.
  void Open(const HookState* state, RecordSink* sink, QueueCounter* counter, bool barriers);
  void Serve(uint32_t queue) { seen_->Serve(queue); }
  // The packets below this index, of a queue that ran before, are not ours.
  void BeginAt(uint64_t index) { other_base_ -= index; }

  // False: the queues' counters are final; the kernels were counted as lost, for the process alone.
  bool CountSeen(uint64_t kernels) {
    if (state_->closed.load(std::memory_order_relaxed)) [[unlikely]] {
      CountLate(EventKind::kKernel, kernels);
      NotePassed(kernels);
      return false;
    }
    seen_->seen.store(seen_->seen.load(std::memory_order_relaxed) + kernels,
                      std::memory_order_relaxed);
    if (seen_ == &own_seen_) sink_->CountSeen(EventKind::kKernel, kernels);
    return true;
  }
  void CountLoss(Loss why, uint64_t kernels);  // unless the counters are final
  // Packets that no hook was given: submitted and lost.
  void CountMissed(Loss why, uint64_t packets);
  void AddLoss(Loss why, uint64_t kernels);
  void CountOther(uint64_t packets) {
    other_.store(other_.load(std::memory_order_relaxed) + packets, std::memory_order_relaxed);
  }
  // The same for barriers, if they are events.
  bool CountBarriers(uint64_t barriers);
  void CountBarrierLoss(Loss why, uint64_t barriers);
  // For the process alone, because the counters of this queue may be final: submitted and lost,
  // while the hooks are disarmed.
  void CountLate(EventKind kind, uint64_t packets);
  void NotePassed(uint64_t packets) {
    passed_.store(passed_.load(std::memory_order_relaxed) + packets, std::memory_order_relaxed);
  }

  uint64_t seen() const {
    return seen_->seen.load(std::memory_order_relaxed) -
           seen_->before.load(std::memory_order_relaxed);
  }
  uint64_t lost(Loss why) const {
    return losses_[static_cast<size_t>(why)].load(std::memory_order_relaxed);
  }
  // Packets that are no kernels, of all queues that this object has served.
  uint64_t other() const { return other_.load(std::memory_order_relaxed); }
  // The index behind the last packet that was counted.
  uint64_t counted() const {
    return seen() + other() - other_base_ + passed_.load(std::memory_order_relaxed);
  }

 private:
  // Written when the queue opens, or rarely.
  const HookState* state_ = nullptr;
  RecordSink* sink_ = nullptr;
  QueueCounter* seen_ = &own_seen_;
  uint64_t other_base_ = 0;
  bool barriers_ = false;
  std::atomic<uint64_t> losses_[kLossCount] = {};

  alignas(64) std::atomic<uint64_t> other_{0};
  std::atomic<uint64_t> passed_{0};
  QueueCounter own_seen_;  // used when there is no other
};

}  // namespace rtl::capture
