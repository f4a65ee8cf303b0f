// SPDX-License-Identifier: MIT
#include "sdk/ompt/ompt_tracing.h"

#include <new>
#include <type_traits>

#include "base/self_kept_clock.h"
#include "base/thread_state.h"
#include "capture/hip/open_call.h"

namespace rtl::sdk {
namespace {

using Format = ApiArgument::Format;

#define OMPT_LIST(...) \
  __VA_ARGS__ __VA_OPT__(, ) ApiArgument {}  // so that no array is empty
#define OMPT_FUNCTION(operation, name, arguments) \
  constexpr ApiArgument kArgumentsOf_##name[] = {OMPT_LIST arguments};
#include "sdk/ompt/ompt_functions.inc"
#undef OMPT_FUNCTION

constexpr ApiFunction OmptApi(int32_t operation) {
  return {ROCPROFILER_CALLBACK_TRACING_OMPT, ROCPROFILER_BUFFER_TRACING_OMPT, operation, 0,
          ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_OMPT};
}

constinit OmptTracing* g_ompt = nullptr;

template <typename T>
void NoteEndpoint(const T& argument, ompt_scope_endpoint_t* endpoint) {
  if constexpr (std::is_same_v<T, ompt_scope_endpoint_t>) *endpoint = argument;
}

template <typename... A>
rocprofiler_callback_tracing_ompt_data_t PayloadOf(const A&... arguments) {
  rocprofiler_callback_tracing_ompt_data_t payload = {};
  payload.size = sizeof payload;
  size_t offset = 0;
  (PutArgument(reinterpret_cast<char*>(&payload.args), &offset, arguments), ...);
  return payload;
}

template <int32_t kOperation, typename... A>
void OnEvent(A... arguments) {
  if (!g_ompt->Listening(kOperation)) return;
  rocprofiler_callback_tracing_ompt_data_t payload = PayloadOf(arguments...);
  g_ompt->Event(kOperation, &payload);
}

// The end of a scope must be handled even without a subscriber, because its beginning may have been
// reported.
template <int32_t kOperation, typename... A>
void OnScope(A... arguments) {
  if (ReentryGuard::Active()) return;
  ompt_scope_endpoint_t endpoint = ompt_scope_begin;
  (NoteEndpoint(arguments, &endpoint), ...);
  const rocprofiler_callback_tracing_ompt_data_t payload = PayloadOf(arguments...);
  if (endpoint != ompt_scope_end) g_ompt->Begin(kOperation, payload);
  if (endpoint != ompt_scope_begin) g_ompt->End(kOperation, payload);
}

struct Callback {
  ompt_callbacks_t number;
  int32_t operation;
  ompt_callback_t function;
};

template <int32_t kOperation, typename... A>
ompt_callback_t EventOf(void (*)(A...)) {
  return reinterpret_cast<ompt_callback_t>(&OnEvent<kOperation, A...>);
}
template <int32_t kOperation, typename... A>
ompt_callback_t ScopeOf(void (*)(A...)) {
  return reinterpret_cast<ompt_callback_t>(&OnScope<kOperation, A...>);
}

#define OMPT_CALLBACK(kind, name, type)                                                      \
  {                                                                                          \
    ompt_callback_##name, ROCPROFILER_OMPT_ID_##name,                                        \
        kind##Of<ROCPROFILER_OMPT_ID_##name>(static_cast<ompt_callback_##type##_t>(nullptr)) \
  }
const Callback* Callbacks(size_t* count) {
  static const Callback callbacks[] = {
      OMPT_CALLBACK(Event, thread_begin, thread_begin),
      OMPT_CALLBACK(Event, thread_end, thread_end),
      OMPT_CALLBACK(Event, parallel_begin, parallel_begin),
      OMPT_CALLBACK(Event, parallel_end, parallel_end),
      OMPT_CALLBACK(Event, task_create, task_create),
      OMPT_CALLBACK(Event, task_schedule, task_schedule),
      OMPT_CALLBACK(Scope, implicit_task, implicit_task),
      OMPT_CALLBACK(Event, device_initialize, device_initialize),
      OMPT_CALLBACK(Event, device_finalize, device_finalize),
      OMPT_CALLBACK(Event, device_load, device_load),
      OMPT_CALLBACK(Scope, sync_region_wait, sync_region),
      OMPT_CALLBACK(Event, mutex_released, mutex),
      OMPT_CALLBACK(Event, dependences, dependences),
      OMPT_CALLBACK(Event, task_dependence, task_dependence),
      OMPT_CALLBACK(Scope, work, work),
      OMPT_CALLBACK(Scope, masked, masked),
      OMPT_CALLBACK(Scope, sync_region, sync_region),
      OMPT_CALLBACK(Event, lock_init, mutex_acquire),
      OMPT_CALLBACK(Event, lock_destroy, mutex),
      OMPT_CALLBACK(Event, mutex_acquire, mutex_acquire),
      OMPT_CALLBACK(Event, mutex_acquired, mutex),
      OMPT_CALLBACK(Event, nest_lock, nest_lock),
      OMPT_CALLBACK(Event, flush, flush),
      OMPT_CALLBACK(Event, cancel, cancel),
      OMPT_CALLBACK(Scope, reduction, sync_region),
      OMPT_CALLBACK(Event, dispatch, dispatch),
      OMPT_CALLBACK(Scope, target_emi, target_emi),
      OMPT_CALLBACK(Scope, target_data_op_emi, target_data_op_emi),
      OMPT_CALLBACK(Scope, target_submit_emi, target_submit_emi),
      OMPT_CALLBACK(Event, error, error),
  };
  *count = sizeof callbacks / sizeof *callbacks;
  return callbacks;
}
#undef OMPT_CALLBACK

const ApiFunction& ApiOf(int32_t operation) { return kOmptFunctions[operation].api; }

uint64_t ValueOf(const ompt_data_t* data) { return data == nullptr ? 0 : data->value; }

// Sets the members of a record that target regions use.
void PutTarget(int32_t operation, const rocprofiler_ompt_args_t& args,
               rocprofiler_buffer_tracing_ompt_record_t* record) {
  switch (operation) {
    case ROCPROFILER_OMPT_ID_target_emi:
      record->target = {args.target_emi.kind, args.target_emi.device_num,
                        ValueOf(args.target_emi.task_data), ValueOf(args.target_emi.target_data),
                        args.target_emi.codeptr_ra};
      return;
    case ROCPROFILER_OMPT_ID_target_data_op_emi:
      record->target_data_op = {ValueOf(args.target_data_op_emi.host_op_id),
                                args.target_data_op_emi.optype,
                                args.target_data_op_emi.src_device_num,
                                args.target_data_op_emi.dst_device_num,
                                0,
                                args.target_data_op_emi.bytes,
                                args.target_data_op_emi.codeptr_ra};
      return;
    case ROCPROFILER_OMPT_ID_target_submit_emi:  // OpenMP does not report the device of this event
      record->target_kernel = {ValueOf(args.target_submit_emi.host_op_id), 0,
                               args.target_submit_emi.requested_num_teams};
      return;
    default:
      return;
  }
}

}  // namespace

const LibraryFunction kOmptFunctions[ROCPROFILER_OMPT_ID_LAST] = {
#define OMPT_FUNCTION(operation, name, arguments) \
  {#name,                                         \
   OmptApi(operation),                            \
   {kArgumentsOf_##name, sizeof kArgumentsOf_##name / sizeof(ApiArgument) - 1}},
#include "sdk/ompt/ompt_functions.inc"
#undef OMPT_FUNCTION
#undef OMPT_LIST
};

OmptTracing::OmptTracing(ApiCalls* calls) : calls_(calls) { g_ompt = this; }

void OmptTracing::Open() {
  open_.Open(sizeof(Scope));
  bool asked = false;
  for (const LibraryFunction& function : kOmptFunctions) asked |= calls_->Asked(function.api);
  asked_.store(asked, std::memory_order_release);  // publishes `open_`
}

ompt_start_tool_result_t* OmptTracing::Start() {
  if (!asked_.load(std::memory_order_acquire) || started_.exchange(true, std::memory_order_acq_rel))
    return nullptr;
  result_.initialize = Initialize;
  result_.finalize = Finalize;
  return &result_;
}

int OmptTracing::Initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  g_ompt->init_.store(-1, std::memory_order_release);
  g_ompt->SetCallbacks(lookup);
  g_ompt->init_.store(1, std::memory_order_release);
  return 1;  // zero would remove the tool
}

void OmptTracing::Finalize(ompt_data_t*) { g_ompt->fini_.store(1, std::memory_order_release); }

void OmptTracing::SetCallbacks(ompt_function_lookup_t lookup) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  if (set == nullptr) return;
  size_t count = 0;
  const Callback* const all = Callbacks(&count);
  for (size_t i = 0; i < count; ++i) {
    // A runtime may answer that it never makes this callback; its events are then not reported.
    if (calls_->Asked(ApiOf(all[i].operation))) (void)set(all[i].number, all[i].function);
  }
  if (!Listening(ROCPROFILER_OMPT_ID_callback_functions)) return;
  rocprofiler_callback_tracing_ompt_data_t payload = {};
  payload.size = sizeof payload;
#define OMPT_ENTRY(name)                        \
  payload.args.callback_functions.ompt_##name = \
      reinterpret_cast<ompt_##name##_t>(lookup("ompt_" #name))
  OMPT_ENTRY(enumerate_states);
  OMPT_ENTRY(enumerate_mutex_impls);
  OMPT_ENTRY(get_thread_data);
  OMPT_ENTRY(get_num_places);
  OMPT_ENTRY(get_place_proc_ids);
  OMPT_ENTRY(get_place_num);
  OMPT_ENTRY(get_partition_place_nums);
  OMPT_ENTRY(get_proc_id);
  OMPT_ENTRY(get_state);
  OMPT_ENTRY(get_parallel_info);
  OMPT_ENTRY(get_task_info);
  OMPT_ENTRY(get_task_memory);
  OMPT_ENTRY(get_num_devices);
  OMPT_ENTRY(get_num_procs);
  OMPT_ENTRY(get_target_info);
  OMPT_ENTRY(get_unique_id);
#undef OMPT_ENTRY
  Event(ROCPROFILER_OMPT_ID_callback_functions, &payload);
}

bool OmptTracing::Listening(int32_t operation) const { return calls_->Listening(ApiOf(operation)); }

void OmptTracing::StartCall(ApiCalls::Call* call) {
  call->correlation = calls_->NewCorrelation();
  call->ancestor = capture::OpenCall::Correlation();
}

void OmptTracing::Event(int32_t operation, rocprofiler_callback_tracing_ompt_data_t* payload) {
  const ApiFunction& function = ApiOf(operation);
  ApiCalls::Call call;
  StartCall(&call);
  calls_->Choose(&call, function, payload, [&](const Context& context, uint32_t i) {
    call.data[i].value = 0;
    call.external[i].value = context.ExternalOf(function.RequestKind(), function.operation,
                                                call.thread, call.correlation);
  });
  call.start = process_clock.NowNs();
  calls_->TellAll(&call, ROCPROFILER_CALLBACK_PHASE_NONE);
  Record(call, payload->args, call.start);
}

void OmptTracing::Begin(int32_t operation,
                        const rocprofiler_callback_tracing_ompt_data_t& payload) {
  const ApiFunction& function = ApiOf(operation);
  const uint32_t ticket = Listening(operation) ? open_.Take() : 0;
  if (ticket == 0 && Listening(operation)) calls_->CountDropped(function);
  if (!scopes_.Push(ThreadId::Current(), Entry(ticket, operation))) {
    if (ticket != 0) open_.Give(ticket);
    return calls_->CountDropped(function);
  }
  if (ticket == 0) return;
  auto* const scope = new (At(ticket)) Scope;
  scope->payload = payload;
  ApiCalls::Call& call = scope->call;
  call.around = capture::OpenCall::Correlation();
  StartCall(&call);
  calls_->TellBegin(&call, function, &scope->payload);
  call.outer = ApiCalls::SetOpen(call.correlation, call.ancestor);
  call.start = process_clock.NowNs();
}

// Takes the innermost open scope of this operation out, with the scopes inside it, which never end.
// Zero if its beginning was not seen.
uint32_t OmptTracing::TakeEnded(int32_t operation) {
  for (;;) {
    const uint64_t entry = scopes_.Pop(ThreadId::Current());
    const auto ticket = static_cast<uint32_t>(entry >> 32);
    if (entry == 0 || entry == Entry(ticket, operation)) return ticket;
    if (ticket == 0) continue;
    const ApiCalls::Call& call = At(ticket)->call;
    (void)ApiCalls::SetOpen(call.around, call.outer);
    calls_->CountDropped(*call.function);
    open_.Give(ticket);
  }
}

void OmptTracing::End(int32_t operation, const rocprofiler_callback_tracing_ompt_data_t& payload) {
  const uint32_t ticket = TakeEnded(operation);
  if (ticket == 0) return;
  Scope* const scope = At(ticket);
  const uint64_t end = process_clock.NowNs();
  (void)ApiCalls::SetOpen(scope->call.around, scope->call.outer);
  scope->payload = payload;
  calls_->TellEnd(&scope->call);
  Record(scope->call, scope->payload.args, end);
  open_.Give(ticket);
}

void OmptTracing::Record(const ApiCalls::Call& call, const rocprofiler_ompt_args_t& args,
                         uint64_t end) const {
  if (call.recorded == 0) return;
  auto record =
      ApiCalls::RecordOf<rocprofiler_buffer_tracing_ompt_record_t>(call, {call.start, end});
  PutTarget(record.operation, args, &record);
  calls_->Append(call, call.recorded, &record);
}

}  // namespace rtl::sdk
