// SPDX-License-Identifier: MIT
// queue_counts.h: counts what became of the packets of one queue. A kernel packet counts as
// submitted, and as lost if it has no record. Packets that are not kernels are counted as other
// packets. Packets that go through while the hooks are disarmed, or while no tool wants them, are
// counted as passed. Submitted, other and passed packets add up to the queue's write index, so
// packets that no hook got can be found.
//
// Threads    lost, AddLoss: any. CountMissed: also while no hook runs. All other functions: under
//            the lock of TracedQueue::OnPackets, or in the child of a fork
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
  // Called when a queue opens. `counter`: counts kernel packets; null: the sink counts them.
  // `barriers`: barrier packets are events, too.
  void Open(const HookState* state, RecordSink* sink, QueueCounter* counter, bool barriers);
  void Serve(uint32_t queue) { counter_->Serve(queue); }
  // For a queue that was in use before it was traced: packets below this index are not counted.
  void BeginAt(uint64_t index) { other_base_ -= index; }

  // Counts submitted kernels. False if the queues' counters are final; the kernels were then
  // counted as lost, in the counters of the process only.
  bool CountSubmitted(uint64_t kernels) {
    if (state_->closed.load(std::memory_order_relaxed)) [[unlikely]] {
      CountLate(EventKind::kKernel, kernels);
      NotePassed(kernels);
      return false;
    }
    counter_->submitted.store(counter_->submitted.load(std::memory_order_relaxed) + kernels,
                              std::memory_order_relaxed);
    if (counter_ == &own_counter_) sink_->CountSubmitted(EventKind::kKernel, kernels);
    return true;
  }
  void CountLoss(Loss why, uint64_t kernels);  // does nothing if the counters are final
  // Counts packets that no hook got, as submitted and lost.
  void CountMissed(Loss why, uint64_t packets);
  void AddLoss(Loss why, uint64_t kernels);
  void CountOther(uint64_t packets) {
    other_.store(other_.load(std::memory_order_relaxed) + packets, std::memory_order_relaxed);
  }
  // Count barriers in the same ways, if barriers are events.
  bool CountBarriers(uint64_t barriers);
  void CountBarrierLoss(Loss why, uint64_t barriers);
  // Counts events as submitted and lost while the hooks are disarmed. Only the counters of the
  // process are changed, because those of this queue may be final.
  void CountLate(EventKind kind, uint64_t packets);
  void NotePassed(uint64_t packets) {
    passed_.store(passed_.load(std::memory_order_relaxed) + packets, std::memory_order_relaxed);
  }

  uint64_t submitted() const {
    return counter_->submitted.load(std::memory_order_relaxed) -
           counter_->before.load(std::memory_order_relaxed);
  }
  uint64_t lost(Loss why) const {
    return losses_[static_cast<size_t>(why)].load(std::memory_order_relaxed);
  }
  // The number of packets that are not kernels, in all queues that this object has served.
  uint64_t other() const { return other_.load(std::memory_order_relaxed); }
  // The index after the last packet that was counted.
  uint64_t counted() const {
    return submitted() + other() - other_base_ + passed_.load(std::memory_order_relaxed);
  }

 private:
  // Written when the queue opens, and rarely afterwards.
  const HookState* state_ = nullptr;
  RecordSink* sink_ = nullptr;
  QueueCounter* counter_ = &own_counter_;
  uint64_t other_base_ = 0;
  bool barriers_ = false;
  std::atomic<uint64_t> losses_[kLossCount] = {};

  alignas(64) std::atomic<uint64_t> other_{0};
  std::atomic<uint64_t> passed_{0};
  QueueCounter own_counter_;  // used if Open got no counter
};

}  // namespace rtl::capture
