// SPDX-License-Identifier: MIT
// rccl_functions.h: describes RCCL functions as operations of the interface, with their arguments
// and the offsets of these in a payload.
//
// Threads    any; everything is constant
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include "sdk/calls/api_calls.h"
#include "sdk/calls/arguments.h"

namespace rtl::sdk {

struct RcclFunction {
  ApiFunction api;
  ApiArguments arguments;
};
extern const RcclFunction kRcclFunctions[ROCPROFILER_RCCL_API_ID_LAST];

rocprofiler_status_t TellRcclArguments(const rocprofiler_callback_tracing_record_t& record,
                                       rocprofiler_callback_tracing_operation_args_cb_t callback,
                                       int32_t most_dereferences, void* data);

}  // namespace rtl::sdk
