// SPDX-License-Identifier: MIT
#include "sdk/ompt/ompt_functions.h"

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

}  // namespace

const OmptFunction kOmptFunctions[ROCPROFILER_OMPT_ID_LAST] = {
#define OMPT_FUNCTION(operation, name, arguments) \
  {OmptApi(operation), {kArgumentsOf_##name, sizeof kArgumentsOf_##name / sizeof(ApiArgument) - 1}},
#include "sdk/ompt/ompt_functions.inc"
#undef OMPT_FUNCTION
#undef OMPT_LIST
};

// No pointer is followed, because OpenMP's data belongs to the OpenMP runtime.
rocprofiler_status_t TellOmptArguments(const rocprofiler_callback_tracing_record_t& record,
                                       rocprofiler_callback_tracing_operation_args_cb_t callback,
                                       void* data) {
  if (record.payload == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  if (record.operation < 0 || record.operation >= ROCPROFILER_OMPT_ID_LAST)
    return ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
  const auto* const payload =
      static_cast<const rocprofiler_callback_tracing_ompt_data_t*>(record.payload);
  TellArguments(record, kOmptFunctions[record.operation].arguments, &payload->args, false, callback,
                data);
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace rtl::sdk
