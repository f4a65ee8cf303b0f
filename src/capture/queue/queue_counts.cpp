// SPDX-License-Identifier: MIT
#include "capture/queue/queue_counts.h"

namespace rtl::capture {

void QueueCounts::Open(const HookState* state, RecordSink* sink, QueueCounter* counter,
                       bool barriers) {
  state_ = state;
  sink_ = sink;
  counter_ = counter == nullptr ? &own_counter_ : counter;
  other_base_ = other();
  barriers_ = barriers;
  for (auto& loss : losses_) loss.store(0, std::memory_order_relaxed);
  passed_.store(0, std::memory_order_relaxed);
}

void QueueCounts::CountLoss(Loss why, uint64_t kernels) {
  if (kernels == 0 || state_->closed.load(std::memory_order_relaxed)) return;
  AddLoss(why, kernels);
}

void QueueCounts::CountMissed(Loss why, uint64_t packets) {
  if (packets == 0) return;
  (void)CountSubmitted(packets);  // if the counters are final, CountLoss does nothing either
  CountLoss(why, packets);
}

void QueueCounts::AddLoss(Loss why, uint64_t kernels) {
  losses_[static_cast<size_t>(why)].fetch_add(kernels, std::memory_order_relaxed);
  sink_->CountLoss(EventKind::kKernel, why, kernels);
}

bool QueueCounts::CountBarriers(uint64_t barriers) {
  if (!barriers_ || barriers == 0) return true;
  if (state_->closed.load(std::memory_order_relaxed)) {
    CountLate(EventKind::kBarrier, barriers);
    return false;
  }
  sink_->CountSubmitted(EventKind::kBarrier, barriers);
  return true;
}

void QueueCounts::CountBarrierLoss(Loss why, uint64_t barriers) {
  if (!barriers_ || barriers == 0) return;
  if (state_->closed.load(std::memory_order_relaxed)) return;
  sink_->CountLoss(EventKind::kBarrier, why, barriers);
}

void QueueCounts::CountLate(EventKind kind, uint64_t packets) {
  if (packets == 0 || state_->leaving.load(std::memory_order_relaxed)) return;
  sink_->CountSubmitted(kind, packets);
  sink_->CountLoss(kind, state_->WhyDisarmed(), packets);
}

}  // namespace rtl::capture
