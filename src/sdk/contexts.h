// SPDX-License-Identifier: MIT
// contexts.h: contexts, their services, and when they were started.
//
// Threads    Create and Configure: the thread that initialises a tool. Everything else: any
// Blocking   a lock held for a few instructions
// Memory     fixed; contexts are never destroyed
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <rocprofiler-sdk/external_correlation.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "sdk/buffer.h"
#include "sdk/external_ids.h"
#include "sdk/operation_set.h"

namespace rtl::sdk {

struct BufferService {
  Buffer* buffer = nullptr;  // null: not configured
  OperationSet operations;
};

struct CallbackService {
  rocprofiler_callback_tracing_cb_t callback = nullptr;  // null: not configured
  void* data = nullptr;
  OperationSet operations;
};

struct RequestService {
  rocprofiler_external_correlation_id_request_cb_t callback = nullptr;  // null: not configured
  void* data = nullptr;
  uint32_t kinds = 0;  // as bits
};

class Context {
 public:
  static constexpr uint32_t kWindows = 128;

  rocprofiler_context_id_t id = {};
  uint32_t client = 0;
  BufferService buffers[ROCPROFILER_BUFFER_TRACING_LAST];
  CallbackService callbacks[ROCPROFILER_CALLBACK_TRACING_LAST];
  RequestService request;
  ExternalIds external;

  bool active() const { return active_.load(std::memory_order_acquire); }
  // False when it was already so.
  bool Start(uint64_t now);
  bool Stop(uint64_t now);
  // Stops it for good: the tool is off, or finalized.
  void Close(uint64_t now) {
    closed_.store(true, std::memory_order_release);
    (void)Stop(now);  // it may be stopped
  }
  bool closed() const { return closed_.load(std::memory_order_acquire); }

  enum class When : uint8_t { kOutside, kInside, kForgotten };
  // Whether it was started then. Forgotten: started and stopped more than kWindows times since.
  When WasActive(uint64_t time) const;

 private:
  struct Window {
    uint64_t start = 0, end = 0;  // end of zero: not yet
  };
  std::atomic<bool> active_{false};
  std::atomic<bool> closed_{false};
  mutable Mutex mutex_{Rank::kBuffer};
  Window windows_[kWindows] RTL_GUARDED_BY(mutex_);
  uint64_t started_ RTL_GUARDED_BY(mutex_) = 0;  // times
};

class Contexts {
 public:
  static constexpr uint32_t kMost = 64;

  // Null: there are too many.
  Context* Create(uint32_t client);
  // Null: no such context.
  Context* Find(rocprofiler_context_id_t id);
  uint32_t count() const { return count_.load(std::memory_order_acquire); }
  Context& at(uint32_t index) { return contexts_[index]; }

 private:
  std::atomic<uint32_t> count_{0};
  Context contexts_[kMost];
};

}  // namespace rtl::sdk
