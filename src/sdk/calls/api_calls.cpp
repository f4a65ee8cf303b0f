// SPDX-License-Identifier: MIT
#include "sdk/calls/api_calls.h"

#include <string.h>

#include "base/self_kept_clock.h"
#include "capture/hip/open_call.h"

namespace rtl::sdk {
namespace {

static_assert(Contexts::kMost <= 64, "contexts are bits of a word");

// No context subscribes to kind zero, so unused kinds are zero.
bool Asks(const Context& context, const ApiFunction& function) {
  return context.callbacks[function.callback_kind].Asks(function.operation) ||
         context.buffers[function.buffer_kind].Asks(function.operation) ||
         context.buffers[function.full_kind].Asks(function.operation);
}

// The kinds of HSA, HIP and ROCTx have the same numbers in both enums.
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
  for (uint32_t kind = 0; kind < ROCPROFILER_CALLBACK_TRACING_LAST; ++kind)
    callback_contexts_[kind] = contexts_->WithCallback(kind);
  for (uint32_t kind = 0; kind < ROCPROFILER_BUFFER_TRACING_LAST; ++kind)
    buffer_contexts_[kind] = contexts_->WithBuffer(kind);
  open_.store(true, std::memory_order_release);  // publishes the tables above; pairs with Listening
}

bool ApiCalls::Asked(const ApiFunction& function) const {
  for (const Context& context : *contexts_) {
    if (Asks(context, function)) return true;
  }
  return false;
}

// HOT: in every wrapped call.
bool ApiCalls::Listening(const ApiFunction& function) const {
  if (!open_.load(std::memory_order_acquire) || ReentryGuard::Active()) return false;
  for (const uint32_t i :
       BitsOf(ContextsOf(function))) {  // the tables are visible: pairs with Open
    const Context& context = contexts_->at(i);
    if (context.active() && Asks(context, function)) return true;
  }
  return false;
}

bool ApiCalls::AsksHsa() const {
  uint64_t contexts = 0;
  for (uint32_t kind = ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API;
       kind <= ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API; ++kind)
    contexts |= callback_contexts_[kind] | buffer_contexts_[kind];
  return contexts != 0;
}

void ApiCalls::SkipCorrelations(uint64_t last) {
  uint64_t now = calls_.load(std::memory_order_relaxed);
  while (now < last && !calls_.compare_exchange_weak(now, last, std::memory_order_relaxed)) {
  }
}

void ApiCalls::Begin(Call* call, const ApiFunction& function, void* payload,
                     const SharedCall& shared) {
  call->around = capture::OpenCall::Correlation();
  Enter(call, function, payload, shared);
  call->outer = SetOpen(call->correlation, call->ancestor);
}

void ApiCalls::End(Call* call, const CallTimes& measured) {
  (void)SetOpen(call->around, call->outer);  // cannot fail, because the thread's block exists
  Leave(call, measured);
}

void ApiCalls::Enter(Call* call, const ApiFunction& function, void* payload,
                     const SharedCall& shared) {
  call->ancestor = capture::OpenCall::Correlation();
  call->correlation = shared.id != 0 ? shared.id : NewCorrelation();
  if (retirement_ != nullptr && retirement_->asked()) retirement_->Begin(call->correlation);
  TellBegin(call, function, payload);
  call->start = !shared.timed && (call->recorded | call->full) != 0 ? process_clock.NowNs() : 0;
}

void ApiCalls::Leave(Call* call, const CallTimes& measured) {
  const bool records = (call->recorded | call->full) != 0;
  const bool timed = measured.end != 0;
  const uint64_t end = records && !timed ? process_clock.NowNs() : measured.end;
  if (timed) call->start = measured.start;
  TellEnd(call);
  if (records) Record(*call, end);
  if (retirement_ != nullptr) retirement_->Release(call->correlation, 1);
}

void ApiCalls::CountDropped(const ApiFunction& function) const {
  for (const uint32_t i : BitsOf(buffer_contexts_[function.buffer_kind])) {
    const Context& context = contexts_->at(i);
    const BufferService& service = context.buffers[function.buffer_kind];
    if (context.active() && service.Asks(function.operation)) service.buffer->CountDropped(1);
  }
}

void ApiCalls::Record(const Call& call, uint64_t end) const {
  auto record = RecordOf<PlainRecord>(call, {call.start, end});
  Append(call, call.recorded, &record);
  if (call.full != 0) RecordFull(call, record);
}

void ApiCalls::RecordFull(const Call& call, const PlainRecord& plain) const {
  rocprofiler_buffer_tracing_hip_api_ext_record_t record = {};
  static_assert(offsetof(rocprofiler_buffer_tracing_hip_api_ext_record_t, args) == sizeof plain);
  memcpy(&record, &plain, sizeof plain);
  const auto& payload =
      *static_cast<const rocprofiler_callback_tracing_hip_api_data_t*>(call.payload);
  record.size = sizeof record;
  record.kind = static_cast<rocprofiler_buffer_tracing_kind_t>(call.function->full_kind);
  record.args = payload.args;
  record.retval = payload.retval;
  Append(call, call.full, &record);
}

void ApiCalls::Tell(Call* call, uint32_t index, rocprofiler_callback_phase_t phase) const {
  rocprofiler_callback_tracing_record_t record = {
      .context_id = {},  // set by Context::Tell
      .thread_id = call->thread,
      .correlation_id = {call->correlation, call->external[index], call->ancestor},
      .kind = static_cast<rocprofiler_callback_tracing_kind_t>(call->function->callback_kind),
      .operation = call->function->operation,
      .phase = phase,
      .payload = call->payload};
  contexts_->at(index).Tell(&record, &call->data[index], Exceptions::kPass);
}

}  // namespace rtl::sdk
