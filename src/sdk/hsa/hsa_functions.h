// SPDX-License-Identifier: MIT
// hsa_functions.h: describes HSA functions as operations of the interface, with names and
// arguments.
//
// Threads    any; everything is constant
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include "capture/hsa/hsa_slots.h"
#include "sdk/calls/api_calls.h"
#include "sdk/calls/arguments.h"

namespace rtl::sdk {

struct HsaFunction {
  capture::HsaTable table;
  const char* name;
  ApiArguments arguments;
};

// Indexed by capture::HsaFunctionIndex; the tables follow each other.
extern const HsaFunction kHsaFunctions[];
extern const uint32_t kHsaFunctionCount;

// Indexed by the number of the kind, which is the same in both services: HSA_CORE_API to
// HSA_FINALIZE_EXT_API.
struct HsaFunctions {
  const HsaFunction* first;  // null if there is no such kind
  int32_t count;
};
HsaFunctions HsaFunctionsOf(uint32_t kind);

rocprofiler_status_t TellHsaArguments(const rocprofiler_callback_tracing_record_t& record,
                                      rocprofiler_callback_tracing_operation_args_cb_t callback,
                                      int32_t most_dereferences, void* data);

}  // namespace rtl::sdk
