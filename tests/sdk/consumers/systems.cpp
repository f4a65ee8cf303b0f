// SPDX-License-Identifier: MIT
// As rocprofiler-systems does: ten kinds of calls by callback, streams, external ids for kernels
// and copies, a buffer with a thread each for kernels and copies, and a context for pauses.
#include <unistd.h>

#include "consumer.h"

using namespace consumer;

namespace {

rocprofiler_context_id_t primary = {0}, control = {0};
rocprofiler_buffer_id_t kernels = {0}, copies = {0};
std::map<uint64_t, uint64_t> threads;  // by buffer
thread_local uint64_t stream = 0;      // on which this thread works

void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user, void*) {
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    CONSUMER_CHECK(rocprofiler_get_timestamp(&user->value));
    if (record.kind == ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API) ++seen.markers;
    return NoteCall(record.correlation_id.internal);
  }
  rocprofiler_timestamp_t now = 0;
  CONSUMER_CHECK(rocprofiler_get_timestamp(&now));
  if (now < user->value) ++seen.failed;
}

void OnStream(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*, void*) {
  const auto* const data =
      static_cast<rocprofiler_callback_tracing_hip_stream_data_t*>(record.payload);
  if (record.operation != ROCPROFILER_HIP_STREAM_SET) return;
  stream = record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER ? data->stream_id.handle + 1 : 0;
}

void OnControl(rocprofiler_callback_tracing_record_t, rocprofiler_user_data_t*, void*) {}

int GiveStream(rocprofiler_thread_id_t, rocprofiler_context_id_t,
               rocprofiler_external_correlation_id_request_kind_t, rocprofiler_tracing_operation_t,
               uint64_t, rocprofiler_user_data_t* external, void*) {
  ++seen.asked;
  external->value = stream;
  return 0;
}

// Each buffer has a thread of its own, which does not belong to the program.
void NoteThread(rocprofiler_buffer_id_t buffer) {
  const std::lock_guard<std::mutex> lock(seen.mutex);
  rocprofiler_thread_id_t here = 0;
  CONSUMER_CHECK(rocprofiler_get_thread_id(&here));
  const auto known = threads.emplace(buffer.handle, here).first;
  if (known->second != here || here == static_cast<uint64_t>(getpid())) ++seen.failed;
  for (const auto& [other, thread] : threads) {
    if (other != buffer.handle && thread == here) ++seen.failed;
  }
}

void OnWork(rocprofiler_context_id_t, rocprofiler_buffer_id_t buffer,
            rocprofiler_record_header_t** headers, size_t count, void*, uint64_t dropped) {
  NoteThread(buffer);
  NoteRecords(headers, count, dropped);
  for (size_t i = 0; i < count; ++i) {
    if (headers[i]->kind != ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH) continue;
    const auto& kernel =
        *static_cast<rocprofiler_buffer_tracing_kernel_dispatch_record_t*>(headers[i]->payload);
    // A launch takes a stream. A copy that the runtime makes with a kernel may have none.
    if (IsOfSession(kernel) && kernel.correlation_id.external.value == 0) ++seen.failed;
  }
}

void OnThread(rocprofiler_runtime_library_t, void*) { ++seen.threads; }

void MakeBuffer(rocprofiler_buffer_tracing_kind_t kind, rocprofiler_buffer_id_t* buffer) {
  CONSUMER_CHECK(rocprofiler_create_buffer(primary, 8192, 7936, ROCPROFILER_BUFFER_POLICY_LOSSLESS,
                                           OnWork, nullptr, buffer));
  CONSUMER_CHECK(rocprofiler_configure_buffer_tracing_service(primary, kind, nullptr, 0, *buffer));
}

int NoteOperation(rocprofiler_callback_tracing_kind_t, rocprofiler_tracing_operation_t operation,
                  void* list) {
  static_cast<std::vector<rocprofiler_tracing_operation_t>*>(list)->push_back(operation);
  return 0;
}

void AskForCalls() {
  for (const auto kind :
       {ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API, ROCPROFILER_CALLBACK_TRACING_HSA_AMD_EXT_API,
        ROCPROFILER_CALLBACK_TRACING_HSA_IMAGE_EXT_API,
        ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API,
        ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API,
        ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API, ROCPROFILER_CALLBACK_TRACING_RCCL_API,
        ROCPROFILER_CALLBACK_TRACING_ROCDECODE_API, ROCPROFILER_CALLBACK_TRACING_ROCJPEG_API}) {
    std::vector<rocprofiler_tracing_operation_t> operations;
    CONSUMER_CHECK(
        rocprofiler_iterate_callback_tracing_kind_operations(kind, NoteOperation, &operations));
    CONSUMER_CHECK(rocprofiler_configure_callback_tracing_service(
        primary, kind, operations.data(), operations.size(), OnCall, nullptr));
  }
}

int Initialize(rocprofiler_client_finalize_t, void*) {
  (void)Agents();
  CONSUMER_CHECK(rocprofiler_create_context(&primary));
  CONSUMER_CHECK(rocprofiler_configure_callback_tracing_service(
      primary, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, nullptr, 0, OnCodeObject, nullptr));
  AskForCalls();
  const rocprofiler_external_correlation_id_request_kind_t requests[] = {
      ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH,
      ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_COPY};
  CONSUMER_CHECK(rocprofiler_configure_external_correlation_id_request_service(
      primary, requests, 2, GiveStream, nullptr));
  CONSUMER_CHECK(rocprofiler_configure_callback_tracing_service(
      primary, ROCPROFILER_CALLBACK_TRACING_HIP_STREAM, nullptr, 0, OnStream, nullptr));
  MakeBuffer(ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, &kernels);
  MakeBuffer(ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, &copies);
  for (const rocprofiler_buffer_id_t buffer : {kernels, copies}) {
    rocprofiler_callback_thread_t thread = {0};
    CONSUMER_CHECK(rocprofiler_create_callback_thread(&thread));
    CONSUMER_CHECK(rocprofiler_assign_callback_thread(buffer, thread));
  }
  CONSUMER_CHECK(rocprofiler_create_context(&control));
  CONSUMER_CHECK(rocprofiler_configure_callback_tracing_service(
      control, ROCPROFILER_CALLBACK_TRACING_MARKER_CONTROL_API, nullptr, 0, OnControl, nullptr));
  int valid = 0;
  CONSUMER_CHECK(rocprofiler_context_is_valid(primary, &valid));
  if (valid == 0) return -1;
  CONSUMER_CHECK(rocprofiler_start_context(control));
  return CONSUMER_CHECK(rocprofiler_start_context(primary)) ? 0 : -1;
}

void Finalize(void*) { Report("systems"); }

}  // namespace

CONSUMER_API int session_start() {
  int active = 0;
  return CONSUMER_CHECK(rocprofiler_context_is_active(primary, &active)) && active != 0 ? 0 : 1;
}

CONSUMER_API int session_stop(unsigned* launches) {
  const bool flushed = CONSUMER_CHECK(rocprofiler_flush_buffer(kernels)) &&
                       CONSUMER_CHECK(rocprofiler_flush_buffer(copies));
  *launches = TakeLaunches();
  return flushed ? 0 : 1;
}

CONSUMER_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t, const char*, uint32_t, rocprofiler_client_id_t* id) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize,
                                                       nullptr};
  id->name = "systems";
  CONSUMER_CHECK(
      rocprofiler_at_internal_thread_create(OnThread, nullptr, ROCPROFILER_LIBRARY, nullptr));
  return &result;
}
