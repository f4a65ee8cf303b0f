// SPDX-License-Identifier: MIT
#include "sdk/api_calls.h"

#include <string.h>

#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "sdk/time_now.h"

namespace rtl::sdk {
namespace {

static_assert(Contexts::kMost <= 64, "contexts are bits of a word");

bool Asks(const CallbackService& service, int32_t operation) {
  return service.callback != nullptr && service.operations.Has(operation);
}

bool Asks(const BufferService& service, int32_t operation) {
  return service.buffer != nullptr && service.operations.Has(operation);
}

// Nobody asks for kind zero.
bool Asks(const Context& context, const ApiFunction& function) {
  return Asks(context.callbacks[function.callback_kind], function.operation) ||
         Asks(context.buffers[function.buffer_kind], function.operation) ||
         Asks(context.buffers[function.full_kind], function.operation);
}

uint32_t RequestKindOf(const ApiFunction& function) {
  if (function.callback_kind == ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API)
    return ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CORE_RANGE_API;
  return function.callback_kind;
}

// The kinds of HSA, HIP and ROCTx have the same numbers there.
static_assert(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_CORE_API == 1 &&
              static_cast<int>(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_NAME_API) ==
                  static_cast<int>(ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API));

}  // namespace

uint64_t ApiCalls::SetOpen(uint64_t correlation, uint64_t ancestor) {
  capture::ThreadCalls* calls = capture::OpenCall::Calls();
  if (calls == nullptr) [[unlikely]] {
    calls = capture::OpenCall::MakeCalls();
    if (calls == nullptr) return 0;
  }
  const uint64_t before = calls->ancestor;
  calls->correlation = correlation;
  calls->ancestor = ancestor;
  return before;
}

void ApiCalls::Open() {
  for (uint32_t i = 0; i < contexts_->count(); ++i) {
    const Context& context = contexts_->at(i);
    for (uint32_t kind = 0; kind < ROCPROFILER_CALLBACK_TRACING_LAST; ++kind) {
      if (context.callbacks[kind].callback != nullptr) callback_contexts_[kind] |= uint64_t{1} << i;
    }
    for (uint32_t kind = 0; kind < ROCPROFILER_BUFFER_TRACING_LAST; ++kind) {
      if (context.buffers[kind].buffer != nullptr) buffer_contexts_[kind] |= uint64_t{1} << i;
    }
  }
  open_.store(true, std::memory_order_release);  // publishes what stands above
}

bool ApiCalls::Asked(const ApiFunction& function) const {
  for (uint32_t i = 0; i < contexts_->count(); ++i) {
    if (Asks(contexts_->at(i), function)) return true;
  }
  return false;
}

// HOT: in every wrapped call.
bool ApiCalls::Listening(const ApiFunction& function) const {
  if (!open_.load(std::memory_order_acquire) || ReentryGuard::Active()) return false;
  uint64_t contexts = ContextsOf(function);  // pairs with Open
  while (contexts != 0) {
    const Context& context = contexts_->at(TakeFirst(&contexts));
    if (context.active() && Asks(context, function)) return true;
  }
  return false;
}

void ApiCalls::Begin(Call* call, const ApiFunction& function, void* payload) {
  Enter(call, function, payload);
  call->outer = SetOpen(call->correlation, call->ancestor);
}

void ApiCalls::End(Call* call) {
  (void)SetOpen(call->ancestor, call->outer);  // what it was is known
  Leave(call);
}

void ApiCalls::Enter(Call* call, const ApiFunction& function, void* payload) {
  const uint32_t request = RequestKindOf(function);
  call->function = &function;
  call->payload = payload;
  call->thread = ThreadId::Current();
  call->ancestor = capture::OpenCall::Correlation();
  call->correlation = NewCorrelation();
  call->told = call->recorded = call->full = call->start = 0;
  if (retirement_ != nullptr && retirement_->asked()) retirement_->Begin(call->correlation);
  for (uint64_t bits = ContextsOf(function); bits != 0;) {
    const uint32_t i = TakeFirst(&bits);
    const Context& context = contexts_->at(i);
    if (!context.active()) continue;
    const auto bit = [i](bool set) { return uint64_t{set} << i; };
    call->told |= bit(Asks(context.callbacks[function.callback_kind], function.operation));
    call->recorded |= bit(Asks(context.buffers[function.buffer_kind], function.operation));
    call->full |= bit(Asks(context.buffers[function.full_kind], function.operation));
    if (((call->told | call->recorded | call->full) >> i & 1) == 0) continue;
    call->external[i].value =
        context.ExternalOf(request, function.operation, call->thread, call->correlation);
  }
  for (uint64_t bits = call->told; bits != 0;) {
    const uint32_t i = TakeFirst(&bits);
    call->data[i].value = 0;
    Tell(call, i, ROCPROFILER_CALLBACK_PHASE_ENTER);
    // The tool may have pushed a value for this call.
    const Context& context = contexts_->at(i);
    if (!context.Requests(request))
      call->external[i].value = context.external.Current(call->thread);
  }
  if ((call->recorded | call->full) != 0) call->start = TimeNow();
}

// Every ENTER has its EXIT, also when the context has been stopped meanwhile, until it is closed.
void ApiCalls::Leave(Call* call) {
  const uint64_t end = (call->recorded | call->full) != 0 ? TimeNow() : 0;
  for (uint64_t bits = call->told; bits != 0;) {
    Tell(call, TakeFirst(&bits), ROCPROFILER_CALLBACK_PHASE_EXIT);
  }
  if ((call->recorded | call->full) != 0) Record(*call, end);
  if (retirement_ != nullptr) retirement_->Release(call->correlation, 1);
}

void ApiCalls::Record(const Call& call, uint64_t end) {
  PlainRecord record;
  record.size = sizeof record;
  record.kind = static_cast<rocprofiler_buffer_tracing_kind_t>(call.function->buffer_kind);
  record.operation = call.function->operation;
  record.correlation_id.internal = call.correlation;
  record.correlation_id.ancestor = call.ancestor;
  record.start_timestamp = call.start;
  record.end_timestamp = end;
  record.thread_id = call.thread;
  for (uint64_t contexts = call.recorded; contexts != 0;) {
    const uint32_t i = TakeFirst(&contexts);
    record.correlation_id.external = call.external[i];
    contexts_->at(i).buffers[call.function->buffer_kind].buffer->Append(record);
  }
  if (call.full != 0) RecordFull(call, record);
}

void ApiCalls::RecordFull(const Call& call, const PlainRecord& plain) {
  rocprofiler_buffer_tracing_hip_api_ext_record_t record = {};
  static_assert(offsetof(rocprofiler_buffer_tracing_hip_api_ext_record_t, args) == sizeof plain);
  memcpy(&record, &plain, sizeof plain);
  const auto& payload =
      *static_cast<const rocprofiler_callback_tracing_hip_api_data_t*>(call.payload);
  record.size = sizeof record;
  record.kind = static_cast<rocprofiler_buffer_tracing_kind_t>(call.function->full_kind);
  record.args = payload.args;
  record.retval = payload.retval;
  for (uint64_t contexts = call.full; contexts != 0;) {
    const uint32_t i = TakeFirst(&contexts);
    record.correlation_id.external = call.external[i];
    contexts_->at(i).buffers[call.function->full_kind].buffer->Append(record);
  }
}

void ApiCalls::Tell(Call* call, uint32_t index, rocprofiler_callback_phase_t phase) {
  const Context& context = contexts_->at(index);
  const CallbackService& service = context.callbacks[call->function->callback_kind];
  const ToolCall tool(context);
  if (!tool.allowed()) return;
  // Made where the function wants it: a copy would wait for what has just been written.
  service.callback(
      rocprofiler_callback_tracing_record_t{
          .context_id = context.id,
          .thread_id = call->thread,
          .correlation_id = {call->correlation, call->external[index], call->ancestor},
          .kind = static_cast<rocprofiler_callback_tracing_kind_t>(call->function->callback_kind),
          .operation = call->function->operation,
          .phase = phase,
          .payload = call->payload},
      &call->data[index], service.data);
}

}  // namespace rtl::sdk
