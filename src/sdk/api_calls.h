// SPDX-License-Identifier: MIT
// api_calls.h: one call of a traced function, as contexts are told of it: ENTER, the function,
// EXIT, and a record.
//
//   Begin ──► ENTER to every started context that asks ──► the function ──► End: EXIT, records
//
// Enter and Leave are the same for what is no call: a range that one call begins and another ends.
//
// Threads    any; a call belongs to its thread, a range to the one that began it
// Blocking   as Buffer::Append. The tools' functions run without a lock; calls that they make are not
//            told
// Memory     on the stack; the first call of a thread takes a block for its correlation id
// Errors     without that block kernels do not know the call
#pragma once

#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include <atomic>

#include "sdk/contexts.h"
#include "sdk/retirement.h"

namespace rtl::sdk {

// What is traced: the same function in both services.
struct ApiFunction {
  uint16_t callback_kind, buffer_kind;
  int32_t operation;
  uint16_t full_kind = 0;  // of records with arguments; zero: there are none
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
  void Begin(Call* call, const ApiFunction& function, void* payload);
  void End(Call* call);
  void Enter(Call* call, const ApiFunction& function, void* payload);
  void Leave(Call* call);

  // For an event that belongs to no call: an id, and to what the thread's kernels belong meanwhile.
  // Answers the ancestor before.
  uint64_t NewCorrelation() { return calls_.fetch_add(1, std::memory_order_relaxed) + 1; }
  static uint64_t SetOpen(uint64_t correlation, uint64_t ancestor);

 private:
  // As bits: those that ask for the function's kind.
  uint64_t ContextsOf(const ApiFunction& function) const {
    return callback_contexts_[function.callback_kind] | buffer_contexts_[function.buffer_kind] |
           buffer_contexts_[function.full_kind];
  }
  void Tell(Call* call, uint32_t context, rocprofiler_callback_phase_t phase);

  // The records of all APIs begin alike, and most end there.
  using PlainRecord = rocprofiler_buffer_tracing_hsa_api_record_t;
  void Record(const Call& call, uint64_t end);
  void RecordFull(const Call& call, const PlainRecord& plain);

  Contexts* const contexts_;
  Retirement* const retirement_;
  std::atomic<bool> open_{false};
  alignas(64) std::atomic<uint64_t> calls_{0};  // every call writes it; what stands around is read
  // Contexts as bits, by kind.
  alignas(64) uint64_t callback_contexts_[ROCPROFILER_CALLBACK_TRACING_LAST] = {};
  uint64_t buffer_contexts_[ROCPROFILER_BUFFER_TRACING_LAST] = {};
};

}  // namespace rtl::sdk
