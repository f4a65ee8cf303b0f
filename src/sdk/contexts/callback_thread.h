// SPDX-License-Identifier: MIT
// callback_thread.h: a thread that delivers buffers to the tool's callbacks.
//
// Threads    Ask, AskAndWait: any. The callbacks run on the thread itself, without a lock
// Blocking   Ask: a lock held for a few instructions. AskAndWait: at most its limit
// Memory     lives as long as the process, and so does the thread
// Why        docs/adr/0041-sdk-buffers.md
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "base/status.h"

namespace rtl::sdk {

class Buffer;

class CallbackThread {
 public:
  CallbackThread() = default;
  CallbackThread(const CallbackThread&) = delete;
  CallbackThread& operator=(const CallbackThread&) = delete;

  Status Start();
  bool IsCaller() const { return pthread_equal(pthread_self(), thread_) != 0; }

  // Requests a delivery of the buffer.
  void Ask(Buffer* buffer);
  // Requests a delivery and waits until it is done. False if it was not done in time, or if the
  // caller is this thread and cannot wait for itself.
  bool AskAndWait(Buffer* buffer, uint64_t limit_ns);

 private:
  friend class Buffer;  // Buffer has members that link it into the queue of requests
  static void* Main(void* self);
  void Run();
  uint64_t Enqueue(Buffer* buffer);

  pthread_t thread_ = {};
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  // also guards members of buffers
  pthread_cond_t work_ = PTHREAD_COND_INITIALIZER;
  pthread_cond_t done_ = PTHREAD_COND_INITIALIZER;
  Buffer* first_ = nullptr;  // buffers to deliver, in the order of the requests
  Buffer* last_ = nullptr;
};

}  // namespace rtl::sdk
