// SPDX-License-Identifier: MIT
// api_calls.h: one call of a traced function, as contexts are told of it: ENTER, the function,
// EXIT, and a record.
//
//   Begin ──► ENTER to every started context that asks ──► the function ──► End: EXIT, records
//
// Enter and Leave are the same for what is no call: a range that one call begins and another ends.
// What has ids and records of its own (allocations.h, scratch_memory.h) uses the parts that these
// two are made of: Choose, TellBegin, TellEnd, Append.
//
// Threads    any; an event belongs to its thread, a range to the one that began it
// Blocking   as Buffer::Append. The tools' functions run without a lock; calls that they make are not
//            told
// Memory     on the stack; the first call of a thread takes a block for its correlation id
// Errors     without that block kernels do not know the call
#pragma once

#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include <atomic>

#include "base/thread_state.h"
#include "sdk/contexts.h"
#include "sdk/retirement.h"

namespace rtl::sdk {

// What is traced: the same function in both services.
struct ApiFunction {
  uint16_t callback_kind, buffer_kind;
  int32_t operation;
  uint16_t full_kind = 0;     // of records with arguments; zero: there are none
  uint16_t request_kind = 0;  // of requests for external numbers; zero: the same as of callbacks

  uint32_t RequestKind() const { return request_kind != 0 ? request_kind : callback_kind; }
};

class ApiCalls {
 public:
  // `retirement`: null where nobody can ask for it.
  explicit ApiCalls(Contexts* contexts, Retirement* retirement = nullptr)
      : contexts_(contexts), retirement_(retirement) {}
  ApiCalls(const ApiCalls&) = delete;
  ApiCalls& operator=(const ApiCalls&) = delete;

  struct Call {
    const ApiFunction* function;
    void* payload;
    uint64_t correlation, ancestor;
    uint32_t thread;
    uint64_t around;                                    // what was open before
    uint64_t outer;                                     // the ancestor's
    uint64_t start;                                     // time; zero: nobody wants a record
    uint64_t told;                                      // contexts that had ENTER, as bits
    uint64_t recorded;                                  // contexts that want a record
    uint64_t full;                                      // and those that want it with arguments
    rocprofiler_user_data_t data[Contexts::kMost];      // of those that were told
    rocprofiler_user_data_t external[Contexts::kMost];  // of those and of the others that record
  };

  // Contexts are complete: who asks for a kind is looked up once.
  void Open();
  // Nothing is told any more.
  void Close() { open_.store(false, std::memory_order_release); }
  bool open() const { return open_.load(std::memory_order_acquire); }

  // Some context asks for the function, started or not.
  bool Asked(const ApiFunction& function) const;
  // Whether anybody listens now; Begin follows.
  bool Listening(const ApiFunction& function) const;
  // Whether anybody may look into the payload of such a call: else it need not be written.
  bool WantsPayload(const ApiFunction& function) const {
    return (callback_contexts_[function.callback_kind] | buffer_contexts_[function.full_kind]) != 0;
  }
  // Some context asks for calls of HSA: these have ids of their own.
  bool AsksHsa() const;
  // `id`: one that NewCorrelation has given out for it; zero: it gets one.
  void Begin(Call* call, const ApiFunction& function, void* payload, uint64_t id = 0);
  void End(Call* call);
  void Enter(Call* call, const ApiFunction& function, void* payload, uint64_t id = 0);
  void Leave(Call* call);

  // Which contexts are told of it and want records; `each` is called with each of them.
  template <typename Each>
  void Choose(Call* call, const ApiFunction& function, void* payload, const Each& each) const;
  // ENTER, of an event that has its ids.
  void TellBegin(Call* call, const ApiFunction& function, void* payload) const;
  // EXIT. Every ENTER has one, also when the context has been stopped meanwhile, until it is closed.
  void TellEnd(Call* call) const { TellAll(call, ROCPROFILER_CALLBACK_PHASE_EXIT); }
  // To those who were chosen, whatever numbers they have by now.
  void TellAll(Call* call, rocprofiler_callback_phase_t phase) const {
    for (uint64_t bits = call->told; bits != 0;) Tell(call, TakeFirst(&bits), phase);
  }
  // `contexts`: those of the call that want such a record, as bits.
  template <typename BufferRecord>
  void Append(const Call& call, uint64_t contexts, BufferRecord* record) const;
  // Of those who listen now, nobody will have a record of it.
  void CountDropped(const ApiFunction& function) const;

  // For an event that belongs to no call: an id, and to what the thread's kernels belong meanwhile.
  // Answers the ancestor before.
  uint64_t NewCorrelation() { return calls_.fetch_add(1, std::memory_order_relaxed) + 1; }
  // The next ones are larger than this one.
  void SkipCorrelations(uint64_t last);
  static uint64_t SetOpen(uint64_t correlation, uint64_t ancestor);

 private:
  // As bits: those that ask for the function's kind.
  uint64_t ContextsOf(const ApiFunction& function) const {
    return callback_contexts_[function.callback_kind] | buffer_contexts_[function.buffer_kind] |
           buffer_contexts_[function.full_kind];
  }
  void Tell(Call* call, uint32_t context, rocprofiler_callback_phase_t phase) const;

  // The records of all APIs begin alike, and most end there.
  using PlainRecord = rocprofiler_buffer_tracing_hsa_api_record_t;
  void Record(const Call& call, uint64_t end) const;
  void RecordFull(const Call& call, const PlainRecord& plain) const;

  Contexts* const contexts_;
  Retirement* const retirement_;
  std::atomic<bool> open_{false};
  alignas(64) std::atomic<uint64_t> calls_{0};  // every call writes it; what stands around is read
  // Contexts as bits, by kind.
  alignas(64) uint64_t callback_contexts_[ROCPROFILER_CALLBACK_TRACING_LAST] = {};
  uint64_t buffer_contexts_[ROCPROFILER_BUFFER_TRACING_LAST] = {};
};

// HOT, as TellBegin: parts of Enter.
template <typename Each>
[[gnu::always_inline]] inline void ApiCalls::Choose(Call* call, const ApiFunction& function,
                                                    void* payload, const Each& each) const {
  call->function = &function;
  call->payload = payload;
  call->thread = ThreadId::Current();
  uint64_t told = 0, recorded = 0, full = 0;
  for (uint64_t bits = ContextsOf(function); bits != 0;) {
    const uint32_t i = TakeFirst(&bits);
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
  for (uint64_t bits = call->told; bits != 0;) {
    const uint32_t i = TakeFirst(&bits);
    call->data[i].value = 0;
    Tell(call, i, ROCPROFILER_CALLBACK_PHASE_ENTER);
    // The tool may have pushed a value for this event.
    const Context& context = contexts_->at(i);
    if (!context.Requests(request))
      call->external[i].value = context.external.Current(call->thread);
  }
}

template <typename BufferRecord>
void ApiCalls::Append(const Call& call, uint64_t contexts, BufferRecord* record) const {
  while (contexts != 0) {
    const uint32_t i = TakeFirst(&contexts);
    record->correlation_id.external = call.external[i];
    contexts_->at(i).buffers[record->kind].buffer->Append(*record);
  }
}

}  // namespace rtl::sdk
