// SPDX-License-Identifier: MIT
// hip_functions.h: describes HIP functions as operations of the interface, with names and
// arguments.
//
// Threads    any; everything is constant
#pragma once

#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include "sdk/calls/api_calls.h"
#include "sdk/calls/arguments.h"

namespace rtl::sdk {

// In the order of the kinds of the interface.
enum class HipTable : uint8_t { kRuntime, kCompiler };

struct HipFunction {
  const char* name;
  ApiFunction api;
  ApiArguments arguments;
};

// How a runtime function uses the stream among its arguments.
enum class StreamUse : uint8_t { kNone, kCreates, kDestroys, kTakes };
struct StreamArgument {
  StreamUse use = StreamUse::kNone;
  uint16_t offset = 0;  // offset among the payload's arguments, in bytes
};
StreamArgument StreamArgumentOf(const HipFunction& function);

// Indexed by the number of the kind, which is the same in both services.
struct HipFunctions {
  const HipFunction* first;  // null if there is no such kind
  int32_t count;
};
HipFunctions HipFunctionsOf(uint32_t kind);

// The HIP function with the name of this call (model/api_calls.h); null if there is none.
const HipFunction* FindHipFunction(const char* call);

rocprofiler_status_t TellHipArguments(const rocprofiler_callback_tracing_record_t& record,
                                      rocprofiler_callback_tracing_operation_args_cb_t callback,
                                      int32_t most_dereferences, void* data);
// Calls the tool back with the arguments of a record, whose kind must be one with arguments.
rocprofiler_status_t TellHipRecord(const rocprofiler_record_header_t& header,
                                   rocprofiler_buffer_tracing_operation_args_cb_t callback,
                                   void* data);

}  // namespace rtl::sdk
