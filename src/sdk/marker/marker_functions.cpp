// SPDX-License-Identifier: MIT
#include "sdk/marker/marker_functions.h"

namespace rtl::sdk {
namespace {

using Format = ApiArgument::Format;

constexpr uint16_t kFirstKind = ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API;
static_assert(ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API == kFirstKind + 2 &&
              static_cast<int>(ROCPROFILER_BUFFER_TRACING_MARKER_CORE_API) == kFirstKind &&
              static_cast<int>(ROCPROFILER_BUFFER_TRACING_MARKER_NAME_API) == kFirstKind + 2);

#define MARKER_FUNCTION(table, operation, name, result, types, arguments) \
  constexpr ApiArgument kArgumentsOf_##name[] = {MARKER_LIST arguments};
#define MARKER_LIST(...) \
  __VA_ARGS__ __VA_OPT__(, ) ApiArgument {}  // so that no array is empty
#include "names/marker_functions.inc"
#undef MARKER_FUNCTION

constexpr uint16_t KindOf(MarkerTable table) { return kFirstKind + static_cast<uint16_t>(table); }

}  // namespace

const LibraryFunction kMarkerFunctions[kMarkerFunctionCount] = {
#define MARKER_FUNCTION(table, operation, name, result, types, arguments) \
  {#name,                                                                 \
   {KindOf(MarkerTable::table), KindOf(MarkerTable::table), operation},   \
   {kArgumentsOf_##name, sizeof kArgumentsOf_##name / sizeof(ApiArgument) - 1}},
#include "names/marker_functions.inc"
#undef MARKER_FUNCTION
};

namespace {

constexpr ApiArgument kMessage[] = {
    {"const char*", "message", Format::kText, 8, 1, Format::kOpaque, 0}};

constexpr ApiFunction Range(int32_t operation) {
  return {ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API,
          ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API, operation, 0,
          ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MARKER_CORE_RANGE_API};
}

}  // namespace

const LibraryFunction kMarkerRanges[kMarkerRangeCount] = {
    {"roctxMarkA", Range(ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxMarkA), {kMessage, 1}},
    {"roctxThreadRangeA",
     Range(ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxThreadRangeA),
     {kMessage, 1}},
    {"roctxProcessRangeA",
     Range(ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxProcessRangeA),
     {kMessage, 1}},
    {"roctxGetThreadId",
     Range(ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxGetThreadId),
     {kArgumentsOf_roctxGetThreadId, 1}},
};

LibraryFunctions MarkerFunctionsOf(uint32_t kind) {
  if (kind == ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API)
    return {kMarkerRanges, kMarkerRangeCount};
  return FunctionsOfKind(kMarkerFunctions, kMarkerFunctionCount, kind);
}

}  // namespace rtl::sdk
