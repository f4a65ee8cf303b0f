// SPDX-License-Identifier: MIT
#include "sdk/hip/hip_functions.h"

#include <string.h>

#include "sdk/contexts/contexts.h"

namespace rtl::sdk {
namespace {

using Format = ApiArgument::Format;

static_assert(ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API ==
                  ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API + 1 &&
              ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT ==
                  ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT + 1);
static_assert(static_cast<int>(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API) ==
                  static_cast<int>(ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API) &&
              static_cast<int>(ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API) ==
                  static_cast<int>(ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API));

#define HIP_OTHER_NAME(...)
#define HIP_FUNCTION(table, operation, name, arguments) \
  constexpr ApiArgument kArgumentsOf_##name[] = {HIP_LIST arguments};
#define HIP_LIST(...) \
  __VA_ARGS__ __VA_OPT__(, ) ApiArgument {}  // so that no array is empty
#include "names/hip_functions.inc"
#undef HIP_FUNCTION

constexpr ApiFunction Api(HipTable table, int32_t operation) {
  const auto which = static_cast<uint16_t>(table);
  const auto kind = static_cast<uint16_t>(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API + which);
  return {kind, kind, operation,
          static_cast<uint16_t>(ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT + which)};
}

constexpr LibraryFunction kFunctions[] = {
#define HIP_FUNCTION(table, operation, name, arguments) \
  {#name,                                               \
   Api(HipTable::table, operation),                     \
   {kArgumentsOf_##name, sizeof kArgumentsOf_##name / sizeof(ApiArgument) - 1}},
#include "names/hip_functions.inc"
#undef HIP_FUNCTION
};
constexpr uint32_t kFunctionCount = sizeof kFunctions / sizeof(LibraryFunction);
// More than in version 1.0 of the interface: functions of newer HIP versions are included.
constexpr int32_t kRuntimeCount = kFunctionCount - ROCPROFILER_HIP_COMPILER_API_ID_LAST;
static_assert(kRuntimeCount >= ROCPROFILER_HIP_RUNTIME_API_ID_LAST);
static_assert(kRuntimeCount <= OperationSet::kMost);

struct OtherName {
  const char* call;
  const char* function;
};
#undef HIP_OTHER_NAME
#define HIP_FUNCTION(...)
#define HIP_OTHER_NAME(call, function) {#call, #function},
constexpr OtherName kOtherNames[] = {
#include "names/hip_functions.inc"
};

}  // namespace

LibraryFunctions HipFunctionsOf(uint32_t kind) {
  if (kind == ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API) return {kFunctions, kRuntimeCount};
  if (kind != ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API) return {};
  return {kFunctions + kRuntimeCount, ROCPROFILER_HIP_COMPILER_API_ID_LAST};
}

const LibraryFunction* FindHipFunction(const char* call) {
  for (const OtherName& other : kOtherNames) {
    if (strcmp(other.call, call) == 0) call = other.function;
  }
  for (const LibraryFunction& function : kFunctions) {
    if (strcmp(function.name, call) == 0) return &function;
  }
  return nullptr;
}

StreamArgument StreamArgumentOf(const LibraryFunction& function) {
  if (function.api.callback_kind != ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API) return {};
  for (uint32_t i = 0; i < function.arguments.count; ++i) {
    const char* const type = function.arguments.first[i].type;
    StreamUse use;
    if (strcmp(type, "hipStream_t*") == 0) {
      use = StreamUse::kCreates;
    } else if (strcmp(type, "hipStream_t") != 0) {
      continue;
    } else {
      const bool destroys =
          function.api.operation == ROCPROFILER_HIP_RUNTIME_API_ID_hipStreamDestroy;
      use = destroys ? StreamUse::kDestroys : StreamUse::kTakes;
    }
    return {use, static_cast<uint16_t>(OffsetOfArgument(function.arguments, i))};
  }
  return {};
}

}  // namespace rtl::sdk
