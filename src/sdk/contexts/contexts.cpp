// SPDX-License-Identifier: MIT
#include "sdk/contexts/contexts.h"

#include <unistd.h>

#include "base/log.h"
#include "base/thread_state.h"
#include "sdk/contexts/ids.h"

// The personality routine of the frame of ToolCall::Run, with the signature that the C++ ABI
// requires.
extern "C" __attribute__((used, visibility("hidden"))) int rtl_tool_unwinds(int, int actions,
                                                                            uint64_t, void*,
                                                                            void*) {
  return rtl::sdk::ToolCall::OnUnwind(actions);
}

namespace rtl::sdk {
namespace {

// Values of _Unwind_Action and _Unwind_Reason_Code.
constexpr int kSearch = 1, kForced = 8;
constexpr int kFatalInSearch = 3, kGoOn = 8;

}  // namespace

// An exception unwinds in two passes: the first looks for a handler, the second leaves the frames.
// When a thread ends itself, there is only the second pass.
int ToolCall::OnUnwind(int actions) {
  const ToolCall* const call = innermost_;
  if (call == nullptr) return kGoOn;
  const bool passes = call->exceptions_ == Exceptions::kPass;
  if ((actions & kSearch) != 0 && passes) return kGoOn;
  if ((actions & kForced) == 0) {
    Warn("a callback of a tool threw an exception in process %d%s", static_cast<int>(getpid()),
         passes ? ": the rest of this event is not reported, and the call throws it"
                : " where none may pass: it ends the process");
  }
  if ((actions & kSearch) != 0) return kFatalInSearch;
  call->Leave();
  ReentryGuard::Restore(call->depth_);
  return kGoOn;
}

// Calls the tool's function without a lock.
uint64_t Context::ExternalOf(uint32_t request_kind, rocprofiler_tracing_operation_t operation,
                             uint32_t thread, uint64_t correlation) const {
  if (Requests(request_kind)) {
    rocprofiler_user_data_t value = {};
    const ToolCall call(*this);
    const auto kind = static_cast<rocprofiler_external_correlation_id_request_kind_t>(request_kind);
    int refused = 1;
    if (call.allowed()) {
      ToolCall::Run([&] {
        refused = request.callback(thread, id, kind, operation, correlation, &value, request.data);
      });
    }
    if (refused == 0) return value.value;
  }
  return external.Current(thread);
}

Context* Contexts::Create(uint32_t client) {
  const uint32_t index = count();
  if (index == kMost) return nullptr;
  Context& context = contexts_[index];
  context.id.handle = MakeHandle(HandleKind::kContext, index);
  context.client = client;
  count_.store(index + 1, std::memory_order_release);  // publishes the context to Find
  return &context;
}

Context* Contexts::Find(rocprofiler_context_id_t id) {
  const uint32_t all = count();
  const uint32_t index = IndexOf(HandleKind::kContext, id.handle, all);
  return index == all ? nullptr : &contexts_[index];
}

}  // namespace rtl::sdk
