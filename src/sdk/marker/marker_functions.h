// SPDX-License-Identifier: MIT
// marker_functions.h: describes ROCTx functions as operations of the interface, with names,
// arguments, and slots in the tables that a ROCTx library registers.
//
// Threads    any; everything is constant
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include "sdk/calls/api_calls.h"
#include "sdk/calls/arguments.h"

namespace rtl::sdk {

// In the order of the kinds and of the registered tables.
enum class MarkerTable : uint8_t { kCore, kControl, kName };
inline constexpr uint32_t kMarkerFunctionCount = 12;

struct MarkerFunction {
  const char* name;
  ApiFunction api;  // the operation is the index of the function in its table
  ApiArguments arguments;
};
extern const MarkerFunction kMarkerFunctions[kMarkerFunctionCount];

// The operations of MARKER_CORE_RANGE_API: ranges, and the functions that are not ranges.
inline constexpr uint32_t kMarkerRangeCount = 4;
extern const MarkerFunction kMarkerRanges[kMarkerRangeCount];

// Indexed by the number of the callback kind: MARKER_CORE_API to MARKER_NAME_API, which have the
// same numbers in both services, and MARKER_CORE_RANGE_API.
struct MarkerFunctions {
  const MarkerFunction* first;  // null if there is no such kind
  int32_t count;
};
MarkerFunctions MarkerFunctionsOf(uint32_t kind);

rocprofiler_status_t TellMarkerArguments(const rocprofiler_callback_tracing_record_t& record,
                                         rocprofiler_callback_tracing_operation_args_cb_t callback,
                                         int32_t most_dereferences, void* data);

}  // namespace rtl::sdk
