// SPDX-License-Identifier: MIT
// ompt_functions.h: describes OpenMP callbacks as operations of the interface, with their arguments
// and the offsets of these in a payload.
//
// Threads    any; everything is constant
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include "sdk/calls/api_calls.h"
#include "sdk/calls/arguments.h"

namespace rtl::sdk {

struct OmptFunction {
  ApiFunction api;
  ApiArguments arguments;
};
extern const OmptFunction kOmptFunctions[ROCPROFILER_OMPT_ID_LAST];

rocprofiler_status_t TellOmptArguments(const rocprofiler_callback_tracing_record_t& record,
                                       rocprofiler_callback_tracing_operation_args_cb_t callback,
                                       void* data);

}  // namespace rtl::sdk
