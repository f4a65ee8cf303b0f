// SPDX-License-Identifier: MIT
// contexts.h: contexts, their services, and whether they are started.
//
// Threads    Create and Configure: the thread that initialises a tool. Everything else: any
// Blocking   never, except that ExternalOf and Tell call functions of the tool
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
  Buffer* buffer = nullptr;  // null if not configured
  OperationSet operations;
  bool Asks(int32_t operation) const { return buffer != nullptr && operations.Has(operation); }
};

struct CallbackService {
  rocprofiler_callback_tracing_cb_t callback = nullptr;  // null if not configured
  void* data = nullptr;
  OperationSet operations;
  bool Asks(int32_t operation) const { return callback != nullptr && operations.Has(operation); }
};

struct RequestService {
  rocprofiler_external_correlation_id_request_cb_t callback = nullptr;  // null if not configured
  void* data = nullptr;
  uint32_t kinds = 0;  // kinds of requests, as bits
};

// What happens when a C++ exception leaves a tool's function.
enum class Exceptions : uint8_t {
  kEnd,   // the process ends: locks are held, or a runtime is in the middle of an operation
  kPass,  // the application's call throws the exception
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
  // False if the context was in that state already.
  bool Start() { return !active_.exchange(true, std::memory_order_acq_rel); }
  bool Stop() { return active_.exchange(false, std::memory_order_acq_rel); }
  // Stops the context permanently, because the tool is off or is being finalized. No function of
  // the tool is called afterwards; threads may still be inside one.
  void Close() {
    closed_.store(true, std::memory_order_seq_cst);
    (void)Stop();                   // may be stopped already
    process_barrier::Everywhere();  // (A)
  }
  bool closed() const { return closed_.load(std::memory_order_seq_cst); }

  // True if the tool wants to be requested for the external ids of such events.
  bool Requests(uint32_t request_kind) const { return (request.kinds >> request_kind & 1) != 0; }
  // The tool's external id for an event of this thread: the tool's answer to a request, or else the
  // value that the tool has pushed.
  uint64_t ExternalOf(uint32_t request_kind, rocprofiler_tracing_operation_t operation,
                      uint32_t thread, uint64_t correlation) const;

  // Calls the context's function for the event's kind, unless the tool is being finalized. Sets the
  // context in `event`.
  void Tell(rocprofiler_callback_tracing_record_t* event, rocprofiler_user_data_t* data,
            Exceptions exceptions = Exceptions::kEnd) const;

  // The number of threads that are inside functions of this context.
  int32_t inside() const {
    return capture::OpenCall::CountInside(this) + unlisted_.load(std::memory_order_seq_cst);
  }

 private:
  friend class ToolCall;

  std::atomic<bool> active_{false};
  std::atomic<bool> closed_{false};
  mutable std::atomic<int32_t> unlisted_{0};  // threads inside that have no block (ThreadCalls)
};

// Exists while a tool's function is called: calls that the tool makes meanwhile are not reported,
// and the tool is not finalized before the function has returned. If an exception leaves the
// function inside Run, this ends, too, and one line reports it.
class ToolCall {
 public:
  // HOT: twice in every call that is reported. Each thread marks itself in its own memory.
  // Context::Close makes every processor execute a barrier, so here only two instructions must stay
  // in order.
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

  // Calls the tool's function. For each exception that leaves this frame, the unwinder calls
  // rtl_tool_unwinds; no table and no other library is needed for that.
  template <typename Function>
  [[gnu::noinline]] static void Run(const Function& function) {
    asm volatile(".cfi_personality 0x1b, rtl_tool_unwinds");
    function();
    asm volatile("" ::: "memory");  // prevents a tail call, so that the frame stays
  }
  // Returns the answer of rtl_tool_unwinds to the unwinder.
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

// The indexes of the contexts in a set of bits: `for (const uint32_t i : BitsOf(set))`.
class BitsOf {
 public:
  explicit BitsOf(uint64_t bits) : bits_(bits) {}
  BitsOf begin() const { return *this; }
  BitsOf end() const { return BitsOf(0); }
  uint32_t operator*() const { return static_cast<uint32_t>(__builtin_ctzll(bits_)); }
  void operator++() { bits_ &= bits_ - 1; }
  bool operator!=(const BitsOf& other) const { return bits_ != other.bits_; }

 private:
  uint64_t bits_;
};

class Contexts {
 public:
  static constexpr uint32_t kMost = 64;

  // Returns null if there are too many contexts.
  Context* Create(uint32_t client);
  // Returns null if there is no such context.
  Context* Find(rocprofiler_context_id_t id);
  uint32_t count() const { return count_.load(std::memory_order_acquire); }
  Context& at(uint32_t index) { return contexts_[index]; }
  Context* begin() { return contexts_; }
  Context* end() { return contexts_ + count(); }
  uint32_t NumberOf(const Context& context) const {
    return static_cast<uint32_t>(&context - contexts_);
  }

  // The contexts that subscribe to a kind, whether they are started or not, as bits.
  uint64_t With(uint32_t callback_kind, uint32_t buffer_kind) const {
    return WithCallback(callback_kind) | WithBuffer(buffer_kind);
  }
  uint64_t WithCallback(uint32_t kind) const {
    return Which([kind](const Context& each) { return each.callbacks[kind].callback != nullptr; });
  }
  uint64_t WithBuffer(uint32_t kind) const {
    return Which([kind](const Context& each) { return each.buffers[kind].buffer != nullptr; });
  }
  // The started contexts, as bits.
  uint64_t Started() const {
    return Which([](const Context& each) { return each.active(); });
  }

 private:
  template <typename IsOne>
  uint64_t Which(const IsOne& is_one) const {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count(); ++i) bits |= uint64_t{is_one(contexts_[i])} << i;
    return bits;
  }

  std::atomic<uint32_t> count_{0};
  Context contexts_[kMost];
};

}  // namespace rtl::sdk
