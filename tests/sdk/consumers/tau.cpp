// SPDX-License-Identifier: MIT
// As TAU does: one context that is active from the beginning, a small buffer with a thread of its
// own for calls, kernels and copies, markers by callback.
#include <rocprofiler-sdk/cxx/name_info.hpp>

#include "consumer.h"

using namespace consumer;

namespace {

rocprofiler_context_id_t context = {0};
rocprofiler_buffer_id_t buffer = {0};
char tool_data[] = "";

void OnObject(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*, void*) {
  NoteCodeObject(record);
  if (record.operation != ROCPROFILER_CODE_OBJECT_LOAD ||
      record.phase != ROCPROFILER_CALLBACK_PHASE_UNLOAD)
    return;
  const rocprofiler_status_t flushed = rocprofiler_flush_buffer(buffer);
  if (flushed != ROCPROFILER_STATUS_ERROR_BUFFER_BUSY) Check(flushed, "flush at UNLOAD");
}

void OnMarker(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*, void*) {
  if (record.phase != ROCPROFILER_CALLBACK_PHASE_ENTER) return;
  ++seen.markers;
  const auto* const call =
      static_cast<rocprofiler_callback_tracing_marker_api_data_t*>(record.payload);
  if (record.operation == ROCPROFILER_MARKER_CORE_API_ID_roctxRangePushA &&
      strcmp(call->args.roctxRangePushA.message, "session") != 0)
    ++seen.failed;
}

int Initialize(rocprofiler_client_finalize_t, void* data) {
  if (data != tool_data || Agents().empty()) return 1;
  if (rocprofiler::sdk::get_buffer_tracing_names().size() == 0) return 1;
  CONSUMER_CHECK(rocprofiler_create_context(&context));
  CONSUMER_CHECK(rocprofiler_configure_callback_tracing_service(
      context, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, nullptr, 0, OnObject, nullptr));
  CONSUMER_CHECK(rocprofiler_configure_callback_tracing_service(
      context, ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API, nullptr, 0, OnMarker, nullptr));
  constexpr size_t kBytes = 4096;
  CONSUMER_CHECK(rocprofiler_create_buffer(context, kBytes, kBytes - kBytes / 8,
                                           ROCPROFILER_BUFFER_POLICY_LOSSLESS, OnRecords, tool_data,
                                           &buffer));
  for (const auto kind :
       {ROCPROFILER_BUFFER_TRACING_HSA_CORE_API, ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API,
        ROCPROFILER_BUFFER_TRACING_HSA_IMAGE_EXT_API,
        ROCPROFILER_BUFFER_TRACING_HSA_FINALIZE_EXT_API, ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API,
        ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH,
        ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY,
        ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT, ROCPROFILER_BUFFER_TRACING_RCCL_API})
    CONSUMER_CHECK(rocprofiler_configure_buffer_tracing_service(context, kind, nullptr, 0, buffer));
  rocprofiler_callback_thread_t thread = {0};
  CONSUMER_CHECK(rocprofiler_create_callback_thread(&thread));
  CONSUMER_CHECK(rocprofiler_assign_callback_thread(buffer, thread));
  int valid = 0;
  CONSUMER_CHECK(rocprofiler_context_is_valid(context, &valid));
  if (valid == 0) return -1;
  CONSUMER_CHECK(rocprofiler_start_context(context));
  return 0;
}

void Finalize(void*) { Report("tau"); }

}  // namespace

CONSUMER_API int session_start() { return 0; }

CONSUMER_API int session_stop(unsigned* launches) {
  const bool flushed = CONSUMER_CHECK(rocprofiler_flush_buffer(buffer));
  *launches = TakeLaunches();
  return flushed ? 0 : 1;
}

CONSUMER_API rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t, const char*, uint32_t, rocprofiler_client_id_t* id) {
  static rocprofiler_tool_configure_result_t result = {sizeof result, Initialize, Finalize,
                                                       tool_data};
  id->name = "tau";
  return &result;
}
