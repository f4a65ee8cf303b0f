// SPDX-License-Identifier: MIT
// queue_mover.h: the thread that moves packets for which the GPU's ring had no room before
// (moved_queue.h). The thread sleeps while no packet waits for room.
//
// Threads    Start, Stop: any, one at a time
// Blocking   Stop: until the thread has ended, at most a second
// Memory     a thread, from the first moved queue on
// Errors     Start returns the system's error by name
#pragma once

#include <pthread.h>

#include <atomic>

#include "base/bell.h"
#include "base/status.h"
#include "capture/queue/doorbells.h"

namespace rtl::capture {

class QueueMover {
 public:
  // Starts the thread. If it runs already, this is not an error.
  Status Start(Doorbells* doorbells, const KernelCounting* counting);
  // Called before the queues are destroyed with the runtime. Idempotent.
  void Stop();

 private:
  static constexpr uint64_t kLookNs = 500'000;  // much shorter than the GPU needs for a full ring
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
