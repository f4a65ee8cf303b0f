// SPDX-License-Identifier: MIT
// callback_thread.h: a thread that hands buffers to the tool's callbacks.
//
// Threads    Ask, AskAndWait: any. The callbacks run on the thread itself, without a lock
// Blocking   Ask: a lock held for a few instructions. AskAndWait: at most its limit
// Memory     lives as long as the process, and so does the thread
// Why        docs/adr/0041-sdk-buffers.md
#pragma once

#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "base/status.h"

namespace rtl::sdk {

class Buffer;

class CallbackThread {
 public:
  CallbackThread() = default;
  CallbackThread(const CallbackThread&) = delete;
  CallbackThread& operator=(const CallbackThread&) = delete;

  Status Start();
  bool started() const { return started_; }

  // Delivers what is in the buffer, soon.
  void Ask(Buffer* buffer);
  // The same, and returns when it has been done; false when it was not in time, or never would be:
  // this is the thread that would do it.
  bool AskAndWait(Buffer* buffer, uint64_t limit_ns);

 private:
  friend class Buffer;  // keeps its place in the queue
  static void* Main(void* self);
  void Run();
  uint64_t Enqueue(Buffer* buffer);

  bool started_ = false;
  pthread_t thread_ = {};
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  // also for the members of buffers
  pthread_cond_t work_ = PTHREAD_COND_INITIALIZER;
  pthread_cond_t done_ = PTHREAD_COND_INITIALIZER;
  Buffer* first_ = nullptr;  // buffers to deliver, oldest request first
  Buffer* last_ = nullptr;
};

}  // namespace rtl::sdk
