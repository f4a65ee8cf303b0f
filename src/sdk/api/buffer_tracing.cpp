// SPDX-License-Identifier: MIT
#include <rocprofiler-sdk/buffer_tracing.h>

#include "sdk/hip/hip_functions.h"
#include "sdk/kinds.h"
#include "sdk/library.h"

using rtl::sdk::Library;
using rtl::sdk::LibraryFunction;
using rtl::sdk::LibraryFunctions;
using rtl::sdk::Service;

extern "C" {

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
  return rtl::sdk::AnswerKindName(Service::kBuffer, kind, name, name_len);
}

rocprofiler_status_t rocprofiler_query_buffer_tracing_kind_operation_name(
    rocprofiler_buffer_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
    const char** name, uint64_t* name_len) {
  return rtl::sdk::AnswerOperationName(Service::kBuffer, kind, operation, name, name_len);
}

rocprofiler_status_t rocprofiler_iterate_buffer_tracing_kinds(
    rocprofiler_buffer_tracing_kind_cb_t callback, void* data) {
  return rtl::sdk::IterateKinds(Service::kBuffer, callback, data);
}

rocprofiler_status_t rocprofiler_iterate_buffer_tracing_kind_operations(
    rocprofiler_buffer_tracing_kind_t kind, rocprofiler_buffer_tracing_kind_operation_cb_t callback,
    void* data) {
  return rtl::sdk::IterateOperations(Service::kBuffer, kind, callback, data);
}

// No pointer is followed and no text is read, because the call has returned long ago.
rocprofiler_status_t rocprofiler_iterate_buffer_tracing_record_args(
    rocprofiler_record_header_t header, rocprofiler_buffer_tracing_operation_args_cb_t callback,
    void* user_data) {
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const LibraryFunctions functions =
      rtl::sdk::HipFunctionsOf(header.kind - ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT +
                               ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API);
  if (header.category != ROCPROFILER_BUFFER_CATEGORY_TRACING || functions.count == 0)
    return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
  if (header.payload == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const auto* const record =
      static_cast<const rocprofiler_buffer_tracing_hip_api_ext_record_t*>(header.payload);
  const LibraryFunction* const function = functions.Find(record->operation);
  if (function == nullptr) return ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
  for (uint32_t i = 0; i < function->arguments.count; ++i) {
    rtl::sdk::ApiArgument argument = function->arguments.first[i];
    if (argument.format == rtl::sdk::ApiArgument::Format::kText)
      argument.format = rtl::sdk::ApiArgument::Format::kPointer;
    const void* const value = reinterpret_cast<const char*>(&record->args) +
                              rtl::sdk::OffsetOfArgument(function->arguments, i);
    char text[128];
    (void)rtl::sdk::WriteArgument(argument, value, false, text, sizeof text);
    if (callback(record->kind, record->operation, i, value, argument.stars, argument.type,
                 argument.name, text, user_data) != 0)
      break;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // extern "C"
