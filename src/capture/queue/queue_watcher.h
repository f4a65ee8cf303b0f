// SPDX-License-Identifier: MIT
// queue_watcher.h: notifications of created and destroyed queues.
//
// Threads    any: the application thread that creates or destroys the queue
// Blocking   the application waits for the call; the tracer holds no lock
#pragma once

#include <hsa/hsa.h>

namespace rtl::capture {

struct QueueIdentity;

class QueueWatcher {
 public:
  virtual void QueueMade(const QueueIdentity& queue, const hsa_queue_t& hsa_queue) = 0;
  // The queue is about to be destroyed.
  virtual void QueueGone(const QueueIdentity& queue) = 0;

 protected:
  ~QueueWatcher() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
