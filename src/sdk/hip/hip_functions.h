// SPDX-License-Identifier: MIT
// hip_functions.h: HIP functions as operations: names and arguments.
//
// Threads    any; everything is constant
#pragma once

#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include "sdk/calls/api_calls.h"
#include "sdk/calls/arguments.h"

namespace rtl::sdk {

// In the order of the kinds.
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
  uint16_t offset = 0;  // in the payload's arguments, in bytes
};
StreamArgument StreamArgumentOf(const HipFunction& function);

// Indexed by the kind's number, which both services share.
struct HipFunctions {
  const HipFunction* first;  // null: no such kind
  int32_t count;
};
HipFunctions HipFunctionsOf(uint32_t kind);

// The function that makes this call (model/api_calls.h); null: none.
const HipFunction* FindHipFunction(const char* call);

rocprofiler_status_t TellHipArguments(const rocprofiler_callback_tracing_record_t& record,
                                      rocprofiler_callback_tracing_operation_args_cb_t callback,
                                      int32_t most_dereferences, void* data);
// The arguments of a record of a kind with arguments.
rocprofiler_status_t TellHipRecord(const rocprofiler_record_header_t& header,
                                   rocprofiler_buffer_tracing_operation_args_cb_t callback,
                                   void* data);

}  // namespace rtl::sdk
