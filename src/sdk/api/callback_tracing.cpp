// SPDX-License-Identifier: MIT
#include <rocprofiler-sdk/callback_tracing.h>
#include <stddef.h>

#include "sdk/hip/hip_functions.h"
#include "sdk/hsa/hsa_tracing.h"
#include "sdk/kinds.h"
#include "sdk/library.h"
#include "sdk/marker/marker_functions.h"

using rtl::sdk::Library;
using rtl::sdk::LibraryFunction;
using rtl::sdk::LibraryFunctions;
using rtl::sdk::Service;

namespace {

using Record = rocprofiler_callback_tracing_record_t;
using HipPayload = rocprofiler_callback_tracing_hip_api_data_t;
using RcclPayload = rocprofiler_callback_tracing_rccl_api_data_t;

// In the payloads of all libraries the arguments follow the size.
constexpr size_t kArguments = sizeof(uint64_t);
static_assert(offsetof(HipPayload, args) == kArguments &&
              offsetof(RcclPayload, args) == kArguments &&
              offsetof(rocprofiler_callback_tracing_hsa_api_data_t, args) == kArguments &&
              offsetof(rocprofiler_callback_tracing_marker_api_data_t, args) == kArguments &&
              offsetof(rocprofiler_callback_tracing_ompt_data_t, args) == kArguments);

LibraryFunctions FunctionsOf(uint32_t kind) {
  if (kind == ROCPROFILER_CALLBACK_TRACING_RCCL_API)
    return {rtl::sdk::kRcclFunctions, ROCPROFILER_RCCL_API_ID_LAST};
  if (kind == ROCPROFILER_CALLBACK_TRACING_OMPT)
    return {rtl::sdk::kOmptFunctions, ROCPROFILER_OMPT_ID_LAST};
  if (const LibraryFunctions hip = rtl::sdk::HipFunctionsOf(kind); hip.count != 0) return hip;
  if (const LibraryFunctions marker = rtl::sdk::MarkerFunctionsOf(kind); marker.count != 0)
    return marker;
  return rtl::sdk::HsaFunctionsOf(kind);
}

// Whether pointers among the arguments may be followed, each at most once.
bool MayFollow(const Record& record) {
  const bool returned = record.phase == ROCPROFILER_CALLBACK_PHASE_EXIT;
  switch (record.kind) {
    // Output arguments are read only after the function has succeeded.
    case ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API:
    case ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API:
      return returned && static_cast<const HipPayload*>(record.payload)->retval.int_retval == 0;
    case ROCPROFILER_CALLBACK_TRACING_RCCL_API:
      return returned &&
             static_cast<const RcclPayload*>(record.payload)->retval.ncclResult_t_retval == 0;
    // The output of roctxGetThreadId is valid only after the call has returned; agents in arguments
    // are valid from the start.
    case ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API:
    case ROCPROFILER_CALLBACK_TRACING_MARKER_CONTROL_API:
    case ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API:
    case ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API:
      return returned;
    case ROCPROFILER_CALLBACK_TRACING_OMPT:
      return false;  // OpenMP's data belongs to the OpenMP runtime
    default:
      return true;
  }
}

}  // namespace

extern "C" {

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
  return rtl::sdk::AnswerKindName(Service::kCallback, kind, name, name_len);
}

rocprofiler_status_t rocprofiler_query_callback_tracing_kind_operation_name(
    rocprofiler_callback_tracing_kind_t kind, rocprofiler_tracing_operation_t operation,
    const char** name, uint64_t* name_len) {
  return rtl::sdk::AnswerOperationName(Service::kCallback, kind, operation, name, name_len);
}

rocprofiler_status_t rocprofiler_iterate_callback_tracing_kinds(
    rocprofiler_callback_tracing_kind_cb_t callback, void* data) {
  return rtl::sdk::IterateKinds(Service::kCallback, callback, data);
}

rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operations(
    rocprofiler_callback_tracing_kind_t kind,
    rocprofiler_callback_tracing_kind_operation_cb_t callback, void* data) {
  return rtl::sdk::IterateOperations(Service::kCallback, kind, callback, data);
}

rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operation_args(
    rocprofiler_callback_tracing_record_t record,
    rocprofiler_callback_tracing_operation_args_cb_t callback, int32_t max_dereference_count,
    void* user_data) {
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const LibraryFunctions functions = FunctionsOf(record.kind);
  if (functions.count == 0) return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
  if (record.payload == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const LibraryFunction* const function = functions.Find(record.operation);
  if (function == nullptr) return ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
  const bool follow = max_dereference_count > 0 && MayFollow(record);
  for (uint32_t i = 0; i < function->arguments.count; ++i) {
    const rtl::sdk::ApiArgument& each = function->arguments.first[i];
    const void* const value = static_cast<const char*>(record.payload) + kArguments +
                              rtl::sdk::OffsetOfArgument(function->arguments, i);
    char text[512];
    const int32_t followed = rtl::sdk::WriteArgument(each, value, follow, text, sizeof text);
    if (callback(record.kind, record.operation, i, value, each.stars, each.type, each.name, text,
                 followed, user_data) != 0)
      break;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // extern "C"
