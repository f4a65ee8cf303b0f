// SPDX-License-Identifier: MIT
#include <rocprofiler-sdk/callback_tracing.h>

#include "sdk/hip/hip_functions.h"
#include "sdk/hsa/hsa_functions.h"
#include "sdk/kinds.h"
#include "sdk/library.h"
#include "sdk/marker/marker_functions.h"
#include "sdk/ompt/ompt_functions.h"
#include "sdk/rccl/rccl_functions.h"

using rtl::sdk::Library;

extern "C" {

using rtl::sdk::Service;

rocprofiler_status_t rocprofiler_configure_callback_tracing_service(
    rocprofiler_context_id_t context_id, rocprofiler_callback_tracing_kind_t kind,
    const rocprofiler_tracing_operation_t* operations, size_t operations_count,
    rocprofiler_callback_tracing_cb_t callback, void* callback_args) {
  Library* const library = Library::Get();
  if (library == nullptr) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  return library->services().ConfigureCallback(context_id, kind, operations, operations_count,
                                               callback, callback_args);
}

rocprofiler_status_t rocprofiler_query_callback_tracing_kind_name(
    rocprofiler_callback_tracing_kind_t kind, const char** name, uint64_t* name_len) {
  return rtl::sdk::AnswerName(rtl::sdk::KindName(Service::kCallback, kind),
                              ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND, name, name_len);
}

rocprofiler_status_t rocprofiler_query_callback_tracing_kind_operation_name(
    rocprofiler_callback_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
    const char** name, uint64_t* name_len) {
  const rocprofiler_status_t known = rtl::sdk::OperationsOf(Service::kCallback, kind);
  const char* const text = rtl::sdk::OperationName(Service::kCallback, kind, operation);
  return rtl::sdk::AnswerName(
      text,
      known == ROCPROFILER_STATUS_SUCCESS ? ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND : known,
      name, name_len);
}

rocprofiler_status_t rocprofiler_iterate_callback_tracing_kinds(
    rocprofiler_callback_tracing_kind_cb_t callback, void* data) {
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  for (int32_t i = 0; i < rtl::sdk::KindCount(Service::kCallback); ++i) {
    if (callback(static_cast<rocprofiler_callback_tracing_kind_t>(i), data) != 0) break;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operations(
    rocprofiler_callback_tracing_kind_t kind,
    rocprofiler_callback_tracing_kind_operation_cb_t callback, void* data) {
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const rocprofiler_status_t known = rtl::sdk::OperationsOf(Service::kCallback, kind);
  for (int32_t i = 0; i < rtl::sdk::OperationCount(Service::kCallback, kind); ++i) {
    if (callback(kind, i, data) != 0) break;
  }
  return known;
}

rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operation_args(
    rocprofiler_callback_tracing_record_t record,
    rocprofiler_callback_tracing_operation_args_cb_t callback, int32_t max_dereference_count,
    void* user_data) {
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (rtl::sdk::HipFunctionsOf(record.kind).count != 0)
    return rtl::sdk::TellHipArguments(record, callback, max_dereference_count, user_data);
  if (rtl::sdk::MarkerFunctionsOf(record.kind).count != 0)
    return rtl::sdk::TellMarkerArguments(record, callback, max_dereference_count, user_data);
  if (record.kind == ROCPROFILER_CALLBACK_TRACING_RCCL_API)
    return rtl::sdk::TellRcclArguments(record, callback, max_dereference_count, user_data);
  if (record.kind == ROCPROFILER_CALLBACK_TRACING_OMPT)
    return rtl::sdk::TellOmptArguments(record, callback, user_data);
  if (rtl::sdk::HsaFunctionsOf(record.kind).count == 0)
    return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
  return rtl::sdk::TellHsaArguments(record, callback, max_dereference_count, user_data);
}

}  // extern "C"
