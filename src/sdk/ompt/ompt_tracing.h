// SPDX-License-Identifier: MIT
// ompt_tracing.h: describes the callbacks of an OpenMP runtime, and reports its events to the
// contexts that subscribe to them.
//
//   libomp ──► ompt_start_tool ──► Start ──► initialize: a callback for each subscribed operation
//          ──► an event                     phase NONE, a record with one time
//          ──► a scope's begin and end      ENTER and EXIT, a record from one to the other
//
// Threads    callbacks: the application's. A scope ends on the thread that began it
// Blocking   as ApiCalls
// Memory     an open scope's data is in its ticket; each thread has a stack of tickets
// Errors     a scope counts as dropped if there is no memory, or if the runtime ends an outer scope
//            first (libomp does not end `single` in code that GCC compiled). A second OpenMP
//            runtime gets no tool
// Why        docs/adr/0084-ompt.md
#pragma once

#include <rocprofiler-sdk/ompt.h>
#include <stdint.h>

#include <atomic>

#include "sdk/calls/arguments.h"
#include "sdk/contexts/external_ids.h"
#include "sdk/contexts/ticket_table.h"

namespace rtl::sdk {

// Indexed by operation.
extern const LibraryFunction kOmptFunctions[ROCPROFILER_OMPT_ID_LAST];

class OmptTracing {
 public:
  // One per process, because the callbacks have no argument to find it by.
  explicit OmptTracing(ApiCalls* calls);
  OmptTracing(const OmptTracing&) = delete;
  OmptTracing& operator=(const OmptTracing&) = delete;

  // Called when configuration is complete.
  void Open();
  // Returns the result of ompt_start_tool; null if no context subscribes, or if another OpenMP
  // runtime has the tool.
  ompt_start_tool_result_t* Start();
  // As in the interface: -1: running now, 0: not yet, 1: done.
  int init_status() const { return init_.load(std::memory_order_acquire); }
  int fini_status() const { return fini_.load(std::memory_order_acquire); }

  // The following functions are for the callbacks.
  bool Listening(int32_t operation) const;
  void Event(int32_t operation, rocprofiler_callback_tracing_ompt_data_t* payload);
  void Begin(int32_t operation, const rocprofiler_callback_tracing_ompt_data_t& payload);
  void End(int32_t operation, const rocprofiler_callback_tracing_ompt_data_t& payload);

 private:
  struct Scope {
    ApiCalls::Call call;
    rocprofiler_callback_tracing_ompt_data_t payload;
  };
  // An entry of a thread's stack, which is never zero. A ticket of zero: the scope was not
  // reported.
  static uint64_t Entry(uint32_t ticket, int32_t operation) {
    return uint64_t{ticket} << 32 | static_cast<uint32_t>(operation + 1);
  }

  static int Initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data);
  static void Finalize(ompt_data_t* data);
  void SetCallbacks(ompt_function_lookup_t lookup);
  Scope* At(uint32_t ticket) const { return static_cast<Scope*>(open_.At(ticket)); }
  uint32_t TakeEnded(int32_t operation);
  void StartCall(ApiCalls::Call* call);
  void Record(const ApiCalls::Call& call, const rocprofiler_ompt_args_t& args, uint64_t end) const;

  ApiCalls* const calls_;
  std::atomic<bool> asked_{false};
  std::atomic<bool> started_{false};
  std::atomic<int> init_{0};
  std::atomic<int> fini_{0};
  ompt_start_tool_result_t result_ = {};
  TicketTable open_;
  ExternalIds scopes_;  // the open scopes of each thread, encoded by Entry
};

}  // namespace rtl::sdk
