// SPDX-License-Identifier: MIT
// Hooks HSA calls, allocations and scratch memory, with wrappers above everything else in the
// runtime's tables.
#include <stdio.h>
#include <unistd.h>

#include "base/thread_state.h"
#include "capture/hip/undescribed_calls.h"
#include "capture/session/session.h"

namespace rtl::capture {
namespace {

// Functions of the AMD table from ROCm 6.0 on. Only the names of the last ones are known.
constexpr const char* kAmdFunctions[] = {
#include "spec/api/hsa_amd_ext_2.inc"
};

const char* AmdFunction(uint32_t number) {
  return number < sizeof kAmdFunctions / sizeof *kAmdFunctions ? kAmdFunctions[number] : nullptr;
}

}  // namespace

// Puts the tracer's wrappers above everything else in the tables: they call the functions that the
// tables had before.
void Session::PutWrappers(void* root_table) {
  if (In(Party::kTrace)) WatchCalls(root_table);
  if (In(Party::kTools) || ToolsGetCallsOf(root_table)) call_hooks_.Listen(tools_->hsa_calls());
  call_hooks_.Install(root_table);
}

void Session::LiftWrappers() {
  call_hooks_.Lift();
  scratch_.Remove();
}

void Session::SayUndescribed() {
  constexpr auto kHsa = UndescribedCalls::Api::kHsa;
  const uint32_t called = UndescribedCalls::called(kHsa);
  if (called == 0) return;
  char functions[240];
  UndescribedCalls::Describe(kHsa, AmdFunction, functions, sizeof functions);
  UndescribedCalls::Forget(kHsa);
  char text[440];
  snprintf(text, sizeof text,
           "HSA calls are not recorded in process %d: those of %u function%s that %s newer than "
           "this tracer are counted only: %s",
           static_cast<int>(getpid()), called, called == 1 ? "" : "s", called == 1 ? "is" : "are",
           functions);
  Complain(text);
}

void Session::OpenToolHsa(void* root_table, bool refused) {
  if (life_.state() == State::kForked) return;
  const ReentryGuard guard;
  const MutexLock lock(mutex_);
  met_runtime_.store(true, std::memory_order_relaxed);
  if (In(Party::kTools)) return;
  if (hooked_ && root_table != root_table_) {
    if (refused) return;
    ++other_runtimes_[static_cast<size_t>(Party::kTools)];
    Complain("HSA calls of a second HSA runtime in this process are not reported to tools");
    return;
  }
  tool_root_ = root_table;
  call_hooks_.Listen(tools_->hsa_calls());
  call_hooks_.Install(root_table);  // installed again at once, so that the trace misses no call
}

void Session::WatchCalls(void* root_table) {
  RecordSink* const sink = output_->sink();
  HsaCallHooks::Services services;
  services.sink = sink;
  services.clock = capture_.clock();
  services.calls = events().Has(EventKind::kHsaCall);
  services.allocations = events().Has(EventKind::kAllocation);
  services.agent_number = [](const void* capture, hsa_agent_t agent) {
    return static_cast<const HsaCapture*>(capture)->AgentNumber(agent);
  };
  services.agent_data = &capture_;
  call_hooks_.Record(services);
  if (events().Has(EventKind::kScratch) && !scratch_.Install(root_table, sink, capture_.clock())) {
    char text[160];
    snprintf(
        text, sizeof text,
        "scratch memory is not recorded in process %d: only runtimes from ROCm 6.1 on report it",
        static_cast<int>(getpid()));
    Complain(text);
  }
}

}  // namespace rtl::capture
