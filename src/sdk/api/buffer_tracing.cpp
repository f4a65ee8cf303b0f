// SPDX-License-Identifier: MIT
#include <rocprofiler-sdk/buffer_tracing.h>

#include "sdk/hip/hip_functions.h"
#include "sdk/kinds.h"
#include "sdk/library.h"

using rtl::sdk::Library;

extern "C" {

using rtl::sdk::Service;

rocprofiler_status_t rocprofiler_configure_buffer_tracing_service(
    rocprofiler_context_id_t context_id, rocprofiler_buffer_tracing_kind_t kind,
    const rocprofiler_tracing_operation_t* operations, size_t operations_count,
    rocprofiler_buffer_id_t buffer_id) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  return library->services().ConfigureBuffered(context_id, kind, operations, operations_count,
                                               buffer_id);
}

rocprofiler_status_t rocprofiler_query_buffer_tracing_kind_name(
    rocprofiler_buffer_tracing_kind_t kind, const char** name, uint64_t* name_len) {
  return rtl::sdk::AnswerName(rtl::sdk::KindName(Service::kBuffer, kind),
                              ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND, name, name_len);
}

rocprofiler_status_t rocprofiler_query_buffer_tracing_kind_operation_name(
    rocprofiler_buffer_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
    const char** name, uint64_t* name_len) {
  const rocprofiler_status_t known = rtl::sdk::OperationsOf(Service::kBuffer, kind);
  const char* const text = rtl::sdk::OperationName(Service::kBuffer, kind, operation);
  return rtl::sdk::AnswerName(
      text,
      known == ROCPROFILER_STATUS_SUCCESS ? ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND : known,
      name, name_len);
}

rocprofiler_status_t rocprofiler_iterate_buffer_tracing_kinds(
    rocprofiler_buffer_tracing_kind_cb_t callback, void* data) {
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  for (int32_t i = 0; i < rtl::sdk::KindCount(Service::kBuffer); ++i) {
    if (callback(static_cast<rocprofiler_buffer_tracing_kind_t>(i), data) != 0) break;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_iterate_buffer_tracing_kind_operations(
    rocprofiler_buffer_tracing_kind_t kind, rocprofiler_buffer_tracing_kind_operation_cb_t callback,
    void* data) {
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const rocprofiler_status_t known = rtl::sdk::OperationsOf(Service::kBuffer, kind);
  for (int32_t i = 0; i < rtl::sdk::OperationCount(Service::kBuffer, kind); ++i) {
    if (callback(kind, i, data) != 0) break;
  }
  return known;
}

rocprofiler_status_t rocprofiler_iterate_buffer_tracing_record_args(
    rocprofiler_record_header_t record, rocprofiler_buffer_tracing_operation_args_cb_t callback,
    void* user_data) {
  return callback == nullptr ? ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT
                             : rtl::sdk::TellHipRecord(record, callback, user_data);
}

}  // extern "C"
