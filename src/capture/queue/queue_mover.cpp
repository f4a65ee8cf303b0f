// SPDX-License-Identifier: MIT
#include "capture/queue/queue_mover.h"

#include "base/own_thread.h"
#include "base/thread_state.h"

namespace rtl::capture {

Status QueueMover::Start(Doorbells* doorbells, const KernelCounting* counting) {
  if (started_) return Status::Ok();
  doorbells_ = doorbells;
  doorbells->MoveFor(counting, &bell_);
  RTL_TRY(StartOwnThread("rtl-mover", Main, this, &thread_));
  started_ = true;
  return Status::Ok();
}

void* QueueMover::Main(void* data) {
  const ReentryGuard guard;
  auto* const self = static_cast<QueueMover*>(data);
  bool more = false;
  while (!self->stop_.load(std::memory_order_acquire)) {
    self->bell_.Sleep(more ? kLookNs : kIdleNs);
    more = self->doorbells_->MoveStarved();
  }
  return nullptr;
}

void QueueMover::Stop() {
  if (!started_) return;
  started_ = false;
  stop_.store(true, std::memory_order_release);  // pairs with Main
  bell_.RingUrgent();
  // a thread that is not joined in time ends with the process
  (void)JoinOwnThread(thread_, kStopNs);
}

}  // namespace rtl::capture
