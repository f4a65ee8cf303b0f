// SPDX-License-Identifier: MIT
// As XLA's RocmTracer does: rocprofiler_force_configure when it is loaded; calls both in the
// buffer, with kernels and copies, and by callback for annotations.
#include "consumer.h"

using namespace consumer;

namespace {

rocprofiler_context_id_t utility = {0}, context = {0};
rocprofiler_buffer_id_t buffer = {0};
rocprofiler_timestamp_t began = 0;  // the session

int NoteOperation(rocprofiler_callback_tracing_kind_t kind,
                  rocprofiler_tracing_operation_t operation, void* count) {
  const char* name = nullptr;
  CONSUMER_CHECK(
      rocprofiler_query_callback_tracing_kind_operation_name(kind, operation, &name, nullptr));
  *static_cast<unsigned*>(count) += name != nullptr;
  return 0;
}

int NoteKind(rocprofiler_callback_tracing_kind_t kind, void* count) {
  const char* name = nullptr;
  CONSUMER_CHECK(rocprofiler_query_callback_tracing_kind_name(kind, &name, nullptr));
  if (kind != ROCPROFILER_CALLBACK_TRACING_NONE)
    CONSUMER_CHECK(
        rocprofiler_iterate_callback_tracing_kind_operations(kind, NoteOperation, count));
  return 0;
}

// Annotations belong to the call that is entered.
void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*, void*) {
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) ++seen.asked;
}

int Initialize(rocprofiler_client_finalize_t, void* data) {
  unsigned names = 0;
  CONSUMER_CHECK(rocprofiler_iterate_callback_tracing_kinds(NoteKind, &names));
  if (names < ROCPROFILER_HIP_RUNTIME_API_ID_LAST) ++seen.failed;
  (void)Agents();
  CONSUMER_CHECK(rocprofiler_create_context(&utility));
  const rocprofiler_tracing_operation_t kernels[] = {
      ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER};
  CONSUMER_CHECK(rocprofiler_configure_callback_tracing_service(
      utility, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, kernels, 1, OnCodeObject, nullptr));
  CONSUMER_CHECK(rocprofiler_start_context(utility));
  CONSUMER_CHECK(rocprofiler_create_context(&context));
  CONSUMER_CHECK(rocprofiler_create_buffer(context, 100 * 4096, 20 * 4096,
                                           ROCPROFILER_BUFFER_POLICY_LOSSLESS, OnRecords, data,
                                           &buffer));
  for (const auto kind :
       {ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH,
        ROCPROFILER_BUFFER_TRACING_MEMORY_COPY})
    CONSUMER_CHECK(rocprofiler_configure_buffer_tracing_service(context, kind, nullptr, 0, buffer));
  CONSUMER_CHECK(rocprofiler_configure_callback_tracing_service(
      context, ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, nullptr, 0, OnCall, nullptr));
  rocprofiler_callback_thread_t thread = {0};
  CONSUMER_CHECK(rocprofiler_create_callback_thread(&thread));
  CONSUMER_CHECK(rocprofiler_assign_callback_thread(buffer, thread));
  int valid = 0;
  CONSUMER_CHECK(rocprofiler_context_is_valid(context, &valid));
  return valid == 0 ? -1 : 0;
}

void Finalize(void*) {
  (void)rocprofiler_stop_context(utility);  // it is stopped already
  (void)rocprofiler_stop_context(context);
  Report("xla");
}

}  // namespace

CONSUMER_API int session_start() {
  CONSUMER_CHECK(rocprofiler_get_timestamp(&began));
  return CONSUMER_CHECK(rocprofiler_start_context(context)) ? 0 : 1;
}

CONSUMER_API int session_stop(unsigned* launches) {
  const bool done = CONSUMER_CHECK(rocprofiler_stop_context(context)) &&
                    CONSUMER_CHECK(rocprofiler_flush_buffer(buffer));
  rocprofiler_timestamp_t ended = 0;
  CONSUMER_CHECK(rocprofiler_get_timestamp(&ended));
  {
    const std::lock_guard<std::mutex> lock(seen.mutex);
    if (seen.first < began || seen.last > ended) ++seen.failed;
    seen.first = UINT64_MAX;
  }
  *launches = TakeLaunches();
  return done ? 0 : 1;
}

CONSUMER_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t, const char*, uint32_t, rocprofiler_client_id_t* id) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize,
                                                       nullptr};
  id->name = "xla";
  return &result;
}

namespace {
const bool forced = CONSUMER_CHECK(rocprofiler_force_configure(rocprofiler_configure));
}  // namespace
