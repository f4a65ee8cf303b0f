// SPDX-License-Identifier: MIT
// contexts.h: contexts, their services, and whether they are started.
//
// Threads    Create and Configure: the thread that initialises a tool. Everything else: any
// Blocking   never, except in the tool's functions in ExternalOf and Tell
// Memory     fixed; contexts are never destroyed
// Why        docs/adr/0207-exceptions-of-tools.md (exceptions)
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <rocprofiler-sdk/external_correlation.h>
#include <stdint.h>

#include <atomic>

#include "base/process_barrier.h"
#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "sdk/contexts/buffer.h"
#include "sdk/contexts/external_ids.h"

namespace rtl::sdk {

// Operations of one kind, as bits.
struct OperationSet {
  static constexpr int32_t kMost = 1024;
  uint64_t words[kMost / 64] = {};

  void Add(int32_t operation) { words[operation / 64] |= uint64_t{1} << operation % 64; }
  void AddAll() {
    for (uint64_t& word : words) word = UINT64_MAX;
  }
  bool Has(int32_t operation) const { return (words[operation / 64] >> operation % 64 & 1) != 0; }
};

struct BufferService {
  Buffer* buffer = nullptr;  // null: not configured
  OperationSet operations;
  bool Asks(int32_t operation) const { return buffer != nullptr && operations.Has(operation); }
};

struct CallbackService {
  rocprofiler_callback_tracing_cb_t callback = nullptr;  // null: not configured
  void* data = nullptr;
  OperationSet operations;
  bool Asks(int32_t operation) const { return callback != nullptr && operations.Has(operation); }
};

struct RequestService {
  rocprofiler_external_correlation_id_request_cb_t callback = nullptr;  // null: not configured
  void* data = nullptr;
  uint32_t kinds = 0;  // as bits
};

// What becomes of a C++ exception that leaves a tool's function.
enum class Exceptions : uint8_t {
  kEnd,   // it ends the process: locks are held, or a runtime is in the middle of something
  kPass,  // the application's call throws it
};

class Context {
 public:
  rocprofiler_context_id_t id = {};
  uint32_t client = 0;
  BufferService buffers[ROCPROFILER_BUFFER_TRACING_LAST];
  CallbackService callbacks[ROCPROFILER_CALLBACK_TRACING_LAST];
  RequestService request;
  ExternalIds external;

  bool active() const { return active_.load(std::memory_order_acquire); }
  // False when it already was in that state.
  bool Start() { return !active_.exchange(true, std::memory_order_acq_rel); }
  bool Stop() { return active_.exchange(false, std::memory_order_acq_rel); }
  // Stops it permanently: the tool is off, or is being finalized. No function of the tool is called
  // afterwards, except those that a thread is already inside.
  void Close() {
    closed_.store(true, std::memory_order_seq_cst);
    (void)Stop();                   // it may be stopped already
    process_barrier::Everywhere();  // (A)
  }
  bool closed() const { return closed_.load(std::memory_order_seq_cst); }

  // True if the tool subscribes to requests for external ids of such events.
  bool Requests(uint32_t request_kind) const { return (request.kinds >> request_kind & 1) != 0; }
  // The tool's external id for an event of this thread: its answer to a request, otherwise the
  // pushed value.
  uint64_t ExternalOf(uint32_t request_kind, rocprofiler_tracing_operation_t operation,
                      uint32_t thread, uint64_t correlation) const;

  // Calls its function for the event's kind, unless the tool is being finalized. Sets the context
  // in `event`.
  void Tell(rocprofiler_callback_tracing_record_t* event, rocprofiler_user_data_t* data,
            Exceptions exceptions = Exceptions::kEnd) const;

  // The number of threads that are inside its functions.
  int32_t inside() const {
    return capture::OpenCall::CountInside(this) + unlisted_.load(std::memory_order_seq_cst);
  }

 private:
  friend class ToolCall;

  std::atomic<bool> active_{false};
  std::atomic<bool> closed_{false};
  mutable std::atomic<int32_t> unlisted_{0};  // threads inside that have no block of their own
};

// Held around a call of a tool's function: calls that the tool makes meanwhile are not reported,
// and the tool is not finalized before the function has returned. An exception that leaves the
// function inside Run ends this, too; one line says so.
class ToolCall {
 public:
  // HOT: twice in every call that is reported. Each thread marks itself in its own memory; Context::Close
  // makes every processor pass a barrier, so the order of two instructions is enough here.
  explicit ToolCall(const Context& context, Exceptions exceptions = Exceptions::kEnd)
      : exceptions_(exceptions), context_(context), calls_(capture::OpenCall::MakeCalls()) {
    innermost_ = this;
    if (calls_ == nullptr) [[unlikely]] {
      context.unlisted_.fetch_add(1, std::memory_order_seq_cst);
    } else {
      before_ = calls_->tool.load(std::memory_order_relaxed);
      calls_->tool.store(&context, std::memory_order_relaxed);
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);  // pairs with (A)
    allowed_ = !context.closed_.load(std::memory_order_acquire);
  }
  ~ToolCall() { Leave(); }
  ToolCall(const ToolCall&) = delete;
  ToolCall& operator=(const ToolCall&) = delete;
  bool allowed() const { return allowed_; }

  // Calls the tool's function. The unwinder asks for each exception that passes this frame
  // (rtl_tool_unwinds); there is no other table or library in that.
  template <typename Function>
  [[gnu::noinline]] static void Run(const Function& function) {
    asm volatile(".cfi_personality 0x1b, rtl_tool_unwinds");
    function();
    asm volatile("" ::: "memory");  // no tail call: the frame stays
  }
  // The answer to the unwinder.
  static int OnUnwind(int actions);

 private:
  void Leave() const {
    innermost_ = around_;
    if (calls_ == nullptr) [[unlikely]] {
      context_.unlisted_.fetch_sub(1, std::memory_order_seq_cst);
    } else {
      calls_->tool.store(before_, std::memory_order_release);
    }
  }

  [[gnu::tls_model(
      "initial-exec")]] static inline constinit thread_local const ToolCall* innermost_ = nullptr;

  const ToolCall* const around_ = innermost_;
  const uint32_t depth_ = ReentryGuard::Depth();
  const Exceptions exceptions_;
  const ReentryGuard guard_;
  const Context& context_;
  capture::ThreadCalls* const calls_;
  const void* before_ = nullptr;
  bool allowed_;
};

// HOT: twice in every reported call.
inline void Context::Tell(rocprofiler_callback_tracing_record_t* event,
                          rocprofiler_user_data_t* data, Exceptions exceptions) const {
  const CallbackService& service = callbacks[event->kind];
  event->context_id = id;
  const ToolCall call(*this, exceptions);
  if (call.allowed()) ToolCall::Run([&] { service.callback(*event, data, service.data); });
}

// Removes and returns the lowest context of a set of bits.
inline uint32_t TakeFirst(uint64_t* bits) {
  const auto first = static_cast<uint32_t>(__builtin_ctzll(*bits));
  *bits &= *bits - 1;
  return first;
}

class Contexts {
 public:
  static constexpr uint32_t kMost = 64;

  // Null: there are too many.
  Context* Create(uint32_t client);
  // Null: no such context.
  Context* Find(rocprofiler_context_id_t id);
  uint32_t count() const { return count_.load(std::memory_order_acquire); }
  Context& at(uint32_t index) { return contexts_[index]; }

  // The contexts that subscribe to a kind, started or not, as bits.
  uint64_t WithCallback(uint32_t kind) const;
  uint64_t WithBuffer(uint32_t kind) const;
  // Those that are started.
  uint64_t Started() const;

 private:
  std::atomic<uint32_t> count_{0};
  Context contexts_[kMost];
};

}  // namespace rtl::sdk
