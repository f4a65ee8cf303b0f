// SPDX-License-Identifier: MIT
// queue_mover.h: the thread that moves packets on when the GPU's ring had no room for them
// (moved_queue.h). It sleeps as long as all have found room.
//
// Threads    Start, Stop: any, one at a time
// Blocking   Stop: until the thread has ended, at most a second
// Memory     a thread, from the first moved queue on
// Errors     Start: the system's, by name
#pragma once

#include <pthread.h>

#include <atomic>

#include "base/bell.h"
#include "base/status.h"
#include "capture/queue/doorbells.h"

namespace rtl::capture {

class QueueMover {
 public:
  // Once it runs, again is no error.
  Status Start(Doorbells* doorbells, const KernelCounting* counting);
  // The queues are about to go with the runtime. Idempotent.
  void Stop();

 private:
  static constexpr uint64_t kLookNs = 500'000;  // far less than the GPU's ring lasts
  static constexpr uint64_t kIdleNs = 1'000'000'000;
  static constexpr uint64_t kStopNs = 1'000'000'000;

  static void* Main(void* self);

  Doorbells* doorbells_ = nullptr;
  Bell bell_;
  pthread_t thread_ = {};
  bool started_ = false;
  std::atomic<bool> stop_{false};
};

}  // namespace rtl::capture
