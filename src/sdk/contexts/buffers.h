// SPDX-License-Identifier: MIT
// buffers.h: the buffers of all tools, and the threads that call their callbacks.
//
// Threads    Find, ForEach: any. All other functions: the thread that initialises tools
// Blocking   Add and AddThread may start a thread
// Memory     fixed; buffers and threads stay to the end of the process
// Errors     statuses of the interface
#pragma once

#include <rocprofiler-sdk/internal_threading.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <stdint.h>

#include <atomic>

#include "sdk/contexts/buffer.h"
#include "sdk/contexts/callback_thread.h"
#include "sdk/contexts/internal_threads.h"

namespace rtl::sdk {

class Buffers {
 public:
  static constexpr uint32_t kMost = 256;
  static constexpr uint32_t kMostThreads = 32;

  explicit Buffers(InternalThreads* listeners) : listeners_(listeners) {}
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  // Sets the id in `options` and in `*id`.
  rocprofiler_status_t Add(Buffer::Options options, rocprofiler_buffer_id_t* id);
  Buffer* Find(rocprofiler_buffer_id_t id);  // null if there is no such buffer
  rocprofiler_status_t AddThread(rocprofiler_callback_thread_t* id);
  rocprofiler_status_t Assign(rocprofiler_buffer_id_t id, rocprofiler_callback_thread_t thread);

  // True if the calling thread delivers buffers, which means that it is inside a callback of a
  // tool.
  bool OnCallbackThread() const;

  template <typename Visit>
  void ForEach(const Visit& visit) {
    for (uint32_t i = 0; i < count_.load(std::memory_order_acquire); ++i) visit(buffers_[i]);
  }

 private:
  bool Start(CallbackThread* thread);
  CallbackThread* SharedThread();  // null if the thread cannot be started

  InternalThreads* const listeners_;
  std::atomic<uint32_t> count_{0};
  Buffer buffers_[kMost];
  std::atomic<uint32_t> thread_count_{0};  // all tools share the first thread
  CallbackThread threads_[kMostThreads];
};

}  // namespace rtl::sdk
