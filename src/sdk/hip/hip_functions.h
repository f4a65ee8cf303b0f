// SPDX-License-Identifier: MIT
// hip_functions.h: describes HIP functions.
//
// Threads    any; everything is constant
#pragma once

#include <stdint.h>

#include "sdk/calls/arguments.h"

namespace rtl::sdk {

// In the order of the kinds of the interface.
enum class HipTable : uint8_t { kRuntime, kCompiler };

// How a runtime function uses the stream among its arguments.
enum class StreamUse : uint8_t { kNone, kCreates, kDestroys, kTakes };
struct StreamArgument {
  StreamUse use = StreamUse::kNone;
  uint16_t offset = 0;  // offset among the payload's arguments, in bytes
};
StreamArgument StreamArgumentOf(const LibraryFunction& function);

// `kind`: its number is the same in both services.
LibraryFunctions HipFunctionsOf(uint32_t kind);

// The HIP function with the name of this call (model/api_calls.h); null if there is none.
const LibraryFunction* FindHipFunction(const char* call);

}  // namespace rtl::sdk
