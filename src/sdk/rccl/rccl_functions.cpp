// SPDX-License-Identifier: MIT
#include "sdk/rccl/rccl_functions.h"

namespace rtl::sdk {
namespace {

using Format = ApiArgument::Format;

#define RCCL_LIST(...) \
  __VA_ARGS__ __VA_OPT__(, ) ApiArgument {}  // so that no array is empty
#define RCCL_FUNCTION(operation, name, result, parameters, types, names, arguments) \
  constexpr ApiArgument kArgumentsOf_##name[] = {RCCL_LIST arguments};
#include "capture/rccl/rccl_functions.inc"
#undef RCCL_FUNCTION

constexpr ApiFunction RcclApi(int32_t operation) {
  return {ROCPROFILER_CALLBACK_TRACING_RCCL_API, ROCPROFILER_BUFFER_TRACING_RCCL_API, operation};
}

}  // namespace

const RcclFunction kRcclFunctions[ROCPROFILER_RCCL_API_ID_LAST] = {
#define RCCL_FUNCTION(operation, name, ...) \
  {RcclApi(operation), {kArgumentsOf_##name, sizeof kArgumentsOf_##name / sizeof(ApiArgument) - 1}},
#include "capture/rccl/rccl_functions.inc"
#undef RCCL_FUNCTION
#undef RCCL_LIST
};

// Output arguments are read only after the function has succeeded.
rocprofiler_status_t TellRcclArguments(const rocprofiler_callback_tracing_record_t& record,
                                       rocprofiler_callback_tracing_operation_args_cb_t callback,
                                       int32_t most_dereferences, void* data) {
  if (record.payload == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (record.operation < 0 || record.operation >= ROCPROFILER_RCCL_API_ID_LAST)
    return ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
  const auto* const payload =
      static_cast<const rocprofiler_callback_tracing_rccl_api_data_t*>(record.payload);
  const bool follow = most_dereferences > 0 && record.phase == ROCPROFILER_CALLBACK_PHASE_EXIT &&
                      payload->retval.ncclResult_t_retval == 0;
  TellArguments(record, kRcclFunctions[record.operation].arguments, &payload->args, follow,
                callback, data);
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace rtl::sdk
