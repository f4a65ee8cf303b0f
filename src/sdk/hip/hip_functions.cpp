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

constexpr HipFunction kFunctions[] = {
#define HIP_FUNCTION(table, operation, name, arguments) \
  {#name,                                               \
   Api(HipTable::table, operation),                     \
   {kArgumentsOf_##name, sizeof kArgumentsOf_##name / sizeof(ApiArgument) - 1}},
#include "names/hip_functions.inc"
#undef HIP_FUNCTION
};
constexpr uint32_t kFunctionCount = sizeof kFunctions / sizeof(HipFunction);
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

const HipFunction* FunctionOf(HipFunctions all, int32_t operation) {
  return operation < 0 || operation >= all.count ? nullptr : &all.first[operation];
}

}  // namespace

HipFunctions HipFunctionsOf(uint32_t kind) {
  if (kind == ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API) return {kFunctions, kRuntimeCount};
  if (kind != ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API) return {};
  return {kFunctions + kRuntimeCount, ROCPROFILER_HIP_COMPILER_API_ID_LAST};
}

const HipFunction* FindHipFunction(const char* call) {
  for (const OtherName& other : kOtherNames) {
    if (strcmp(other.call, call) == 0) call = other.function;
  }
  for (const HipFunction& function : kFunctions) {
    if (strcmp(function.name, call) == 0) return &function;
  }
  return nullptr;
}

StreamArgument StreamArgumentOf(const HipFunction& function) {
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

// Output arguments are read only after the function has succeeded.
rocprofiler_status_t TellHipArguments(const rocprofiler_callback_tracing_record_t& record,
                                      rocprofiler_callback_tracing_operation_args_cb_t callback,
                                      int32_t most_dereferences, void* data) {
  if (record.payload == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const HipFunction* const function = FunctionOf(HipFunctionsOf(record.kind), record.operation);
  if (function == nullptr) return ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
  const auto* const payload =
      static_cast<const rocprofiler_callback_tracing_hip_api_data_t*>(record.payload);
  const bool follow = most_dereferences > 0 && record.phase == ROCPROFILER_CALLBACK_PHASE_EXIT &&
                      payload->retval.int_retval == 0;
  TellArguments(record, function->arguments, &payload->args, follow, callback, data);
  return ROCPROFILER_STATUS_SUCCESS;
}

// No pointer is followed and no text is read, because the call has returned long ago.
rocprofiler_status_t TellHipRecord(const rocprofiler_record_header_t& header,
                                   rocprofiler_buffer_tracing_operation_args_cb_t callback,
                                   void* data) {
  const uint32_t plain = header.kind - ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT +
                         ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API;
  const HipFunctions all = HipFunctionsOf(plain);
  if (header.category != ROCPROFILER_BUFFER_CATEGORY_TRACING || all.count == 0)
    return ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
  if (header.payload == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  const auto* const record =
      static_cast<const rocprofiler_buffer_tracing_hip_api_ext_record_t*>(header.payload);
  const HipFunction* const function = FunctionOf(all, record->operation);
  if (function == nullptr) return ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
  for (uint32_t i = 0; i < function->arguments.count; ++i) {
    ApiArgument argument = function->arguments.first[i];
    if (argument.format == Format::kText) argument.format = Format::kPointer;
    const void* const value =
        reinterpret_cast<const char*>(&record->args) + OffsetOfArgument(function->arguments, i);
    char text[128];
    (void)WriteArgument(argument, value, false, text, sizeof text);  // no pointer is followed
    if (callback(record->kind, record->operation, i, value, argument.stars, argument.type,
                 argument.name, text, data) != 0)
      break;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace rtl::sdk
