// SPDX-License-Identifier: MIT
#include "sdk/contexts/contexts.h"

#include "base/thread_state.h"
#include "sdk/contexts/ids.h"

namespace rtl::sdk {

// The tool's function runs without a lock.
uint64_t Context::ExternalOf(uint32_t request_kind, rocprofiler_tracing_operation_t operation,
                             uint32_t thread, uint64_t correlation) const {
  if (Requests(request_kind)) {
    rocprofiler_user_data_t value = {};
    const ToolCall call(*this);
    const auto kind = static_cast<rocprofiler_external_correlation_id_request_kind_t>(request_kind);
    if (call.allowed() &&
        request.callback(thread, id, kind, operation, correlation, &value, request.data) == 0)
      return value.value;
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

uint64_t Contexts::WithCallback(uint32_t kind) const {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < count(); ++i) {
    bits |= uint64_t{contexts_[i].callbacks[kind].callback != nullptr} << i;
  }
  return bits;
}

uint64_t Contexts::Started() const {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < count(); ++i) bits |= uint64_t{contexts_[i].active()} << i;
  return bits;
}

uint64_t Contexts::WithBuffer(uint32_t kind) const {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < count(); ++i) {
    bits |= uint64_t{contexts_[i].buffers[kind].buffer != nullptr} << i;
  }
  return bits;
}

}  // namespace rtl::sdk
