// SPDX-License-Identifier: MIT
// api_calls.h: reports one call of a traced function to contexts: ENTER, the function, EXIT, and a
// record.
//
//   Begin ──► ENTER to every started context that subscribes ──► the function ──► End: EXIT, record
//
// Enter and Leave report an event that is not a call in the same way: a range that one call begins
// and another call ends. Events with ids and records of their own (allocations.h, scratch_memory.h)
// use the parts of Enter and Leave: Choose, TellBegin, TellEnd, Append.
//
// Threads    any; an event belongs to its thread, a range to the thread that began it
// Blocking   as Buffer::Append. The tools' functions run without a lock; calls that they make are
//            not reported
// Memory     on the stack; the first call of a thread allocates a block for its correlation id
// Errors     without that block kernels are not linked to the call
#pragma once

#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include <atomic>

#include "base/thread_state.h"
#include "sdk/contexts/contexts.h"
#include "sdk/contexts/retirement.h"

namespace rtl::sdk {

// A traced function. Callback and buffer services use the same descriptions.
struct ApiFunction {
  uint16_t callback_kind, buffer_kind;
  int32_t operation;
  uint16_t full_kind = 0;     // kind of the records with arguments; zero: none
  uint16_t request_kind = 0;  // kind of requests for external ids; zero: the callback kind

  uint32_t RequestKind() const { return request_kind != 0 ? request_kind : callback_kind; }
};

// The times of a call, if the caller of End has measured them.
struct CallTimes {
  uint64_t start = 0, end = 0;
};

// Describes a call that the trace records, too.
struct SharedCall {
  uint64_t id = 0;     // from NewCorrelation; zero: the call gets a new one
  bool timed = false;  // the trace measures the call and passes its times to End
};

class ApiCalls {
 public:
  // `retirement`: null if no tool can subscribe to the retirement of ids.
  explicit ApiCalls(Contexts* contexts, Retirement* retirement = nullptr)
      : contexts_(contexts), retirement_(retirement) {}
  ApiCalls(const ApiCalls&) = delete;
  ApiCalls& operator=(const ApiCalls&) = delete;

  struct Call {
    const ApiFunction* function;
    void* payload;
    uint64_t correlation, ancestor;
    uint32_t thread;
    // correlation id of the thread's open call before this one
    uint64_t around;
    uint64_t outer;  // the ancestor of `around`
    // start time; zero: not wanted, or not known yet
    uint64_t start;
    uint64_t told;      // contexts that have got ENTER, as bits
    uint64_t recorded;  // contexts that want a record, as bits
    // contexts that want a record with arguments, as bits
    uint64_t full;
    rocprofiler_user_data_t data[Contexts::kMost];      // for the contexts in `told`
    rocprofiler_user_data_t external[Contexts::kMost];  // for the contexts in `told` and `recorded`
  };

  // Called when configuration is complete: looks up which contexts subscribe to each kind.
  void Open();
  // Nothing is reported after this.
  void Close() { open_.store(false, std::memory_order_release); }
  bool open() const { return open_.load(std::memory_order_acquire); }

  // True if some context subscribes to the function, whether it is started or not.
  bool Asked(const ApiFunction& function) const;
  // True if a started context subscribes to the function; the caller then calls Begin.
  bool Listening(const ApiFunction& function) const;
  // True if a context may read the payload of such a call. Otherwise the caller need not fill it.
  bool WantsPayload(const ApiFunction& function) const {
    return (callback_contexts_[function.callback_kind] | buffer_contexts_[function.full_kind]) != 0;
  }
  // True if some context subscribes to HSA calls, which then have correlation ids of their own.
  bool AsksHsa() const;
  void Begin(Call* call, const ApiFunction& function, void* payload, const SharedCall& shared = {});
  void End(Call* call, const CallTimes& measured = {});
  void Enter(Call* call, const ApiFunction& function, void* payload, const SharedCall& shared = {});
  void Leave(Call* call, const CallTimes& measured = {});

  // Chooses the contexts that get callbacks and records; calls `each` for each of them.
  template <typename Each>
  void Choose(Call* call, const ApiFunction& function, void* payload, const Each& each) const;
  // Sends ENTER for an event whose ids are set.
  void TellBegin(Call* call, const ApiFunction& function, void* payload) const;
  // Sends EXIT to every context that got ENTER, even if the context was stopped meanwhile, unless
  // the context is closed.
  void TellEnd(Call* call) const { TellAll(call, ROCPROFILER_CALLBACK_PHASE_EXIT); }
  // Calls back the chosen contexts, with their present external ids.
  void TellAll(Call* call, rocprofiler_callback_phase_t phase) const {
    for (const uint32_t i : BitsOf(call->told)) Tell(call, i, phase);
  }
  // A record of the call, with the members that the records of all calls and events have.
  template <typename BufferRecord>
  static BufferRecord RecordOf(const Call& call, const CallTimes& times);
  // Appends the record to the buffers of `contexts`: contexts of the call that want such a record,
  // as bits.
  template <typename BufferRecord>
  void Append(const Call& call, uint64_t contexts, BufferRecord* record) const;
  // Counts a dropped record for each started context that subscribes to the function.
  void CountDropped(const ApiFunction& function) const;

  // For an event that belongs to no call. NewCorrelation returns an id for it. SetOpen sets the
  // call to which this thread's kernels belong from now on, and returns the ancestor that was set
  // before.
  uint64_t NewCorrelation() { return calls_.fetch_add(1, std::memory_order_relaxed) + 1; }
  // Later ids will be larger than `last`.
  void SkipCorrelations(uint64_t last);
  static uint64_t SetOpen(uint64_t correlation, uint64_t ancestor);

 private:
  // The contexts that subscribe to the function's kinds, as bits.
  uint64_t ContextsOf(const ApiFunction& function) const {
    return callback_contexts_[function.callback_kind] | buffer_contexts_[function.buffer_kind] |
           buffer_contexts_[function.full_kind];
  }
  void Tell(Call* call, uint32_t context, rocprofiler_callback_phase_t phase) const;

  // The records of all APIs begin with these members, and most have no others.
  using PlainRecord = rocprofiler_buffer_tracing_hsa_api_record_t;
  void Record(const Call& call, uint64_t end) const;
  void RecordFull(const Call& call, const PlainRecord& plain) const;

  Contexts* const contexts_;
  Retirement* const retirement_;
  std::atomic<bool> open_{false};
  // On a cache line of its own: every call writes it, while the members around it are only read.
  alignas(64) std::atomic<uint64_t> calls_{0};
  // For each kind, the contexts that subscribe to it, as bits.
  alignas(64) uint64_t callback_contexts_[ROCPROFILER_CALLBACK_TRACING_LAST] = {};
  uint64_t buffer_contexts_[ROCPROFILER_BUFFER_TRACING_LAST] = {};
};

// HOT. Choose and TellBegin are parts of Enter.
template <typename Each>
[[gnu::always_inline]] inline void ApiCalls::Choose(Call* call, const ApiFunction& function,
                                                    void* payload, const Each& each) const {
  call->function = &function;
  call->payload = payload;
  call->thread = ThreadId::Current();
  uint64_t told = 0, recorded = 0, full = 0;
  for (const uint32_t i : BitsOf(ContextsOf(function))) {
    const Context& context = contexts_->at(i);
    if (!context.active()) continue;
    const auto bit = [i](bool set) { return uint64_t{set} << i; };
    told |= bit(context.callbacks[function.callback_kind].Asks(function.operation));
    recorded |= bit(context.buffers[function.buffer_kind].Asks(function.operation));
    full |= bit(context.buffers[function.full_kind].Asks(function.operation));
    if (((told | recorded | full) >> i & 1) != 0) each(context, i);
  }
  call->told = told;
  call->recorded = recorded;
  call->full = full;
}

[[gnu::always_inline]] inline void ApiCalls::TellBegin(Call* call, const ApiFunction& function,
                                                       void* payload) const {
  const uint32_t request = function.RequestKind();
  Choose(call, function, payload, [&](const Context& context, uint32_t i) {
    call->external[i].value =
        context.ExternalOf(request, function.operation, call->thread, call->correlation);
  });
  for (const uint32_t i : BitsOf(call->told)) {
    call->data[i].value = 0;
    Tell(call, i, ROCPROFILER_CALLBACK_PHASE_ENTER);
    // In the ENTER callback the tool may have pushed an external id for this event.
    const Context& context = contexts_->at(i);
    if (!context.Requests(request))
      call->external[i].value = context.external.Current(call->thread);
  }
}

template <typename BufferRecord>
BufferRecord ApiCalls::RecordOf(const Call& call, const CallTimes& times) {
  BufferRecord record = {};
  record.size = sizeof record;
  record.kind = static_cast<rocprofiler_buffer_tracing_kind_t>(call.function->buffer_kind);
  record.operation = static_cast<decltype(record.operation)>(call.function->operation);
  record.correlation_id.internal = call.correlation;
  record.correlation_id.ancestor = call.ancestor;
  record.thread_id = call.thread;
  record.start_timestamp = times.start;
  record.end_timestamp = times.end;
  return record;
}

template <typename BufferRecord>
void ApiCalls::Append(const Call& call, uint64_t contexts, BufferRecord* record) const {
  for (const uint32_t i : BitsOf(contexts)) {
    record->correlation_id.external = call.external[i];
    contexts_->at(i).buffers[record->kind].buffer->Append(*record);
  }
}

}  // namespace rtl::sdk
