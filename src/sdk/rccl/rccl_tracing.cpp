// SPDX-License-Identifier: MIT
#include "sdk/rccl/rccl_tracing.h"

#include <string.h>

#include <new>

namespace rtl::sdk {
namespace {

using Format = ApiArgument::Format;

#define RCCL_LIST(...) \
  __VA_ARGS__ __VA_OPT__(, ) ApiArgument {}  // so that no array is empty
#define RCCL_FUNCTION(operation, name, result, parameters, types, names, arguments) \
  constexpr ApiArgument kArgumentsOf_##name[] = {RCCL_LIST arguments};
#include "capture/rccl/rccl_functions.inc"
#undef RCCL_FUNCTION

constexpr ApiFunction RcclApi(int32_t operation) {
  return {ROCPROFILER_CALLBACK_TRACING_RCCL_API, ROCPROFILER_BUFFER_TRACING_RCCL_API, operation};
}

struct OpenRcclCall {
  ApiCalls::Call call;
  rocprofiler_callback_tracing_rccl_api_data_t payload;
};
static_assert(sizeof(OpenRcclCall) <= capture::RcclCallHooks::kRoomBytes &&
              alignof(OpenRcclCall) <= 8);

const LibraryFunction& RcclFunctionOf(RcclCallOperation operation) {
  return kRcclFunctions[static_cast<size_t>(operation)];
}

}  // namespace

const LibraryFunction kRcclFunctions[ROCPROFILER_RCCL_API_ID_LAST] = {
#define RCCL_FUNCTION(operation, name, ...) \
  {#name,                                   \
   RcclApi(operation),                      \
   {kArgumentsOf_##name, sizeof kArgumentsOf_##name / sizeof(ApiArgument) - 1}},
#include "capture/rccl/rccl_functions.inc"
#undef RCCL_FUNCTION
#undef RCCL_LIST
};

void RcclTracing::Open() {
  for (const LibraryFunction& function : kRcclFunctions) {
    if (calls_->Asked(function.api)) asked_.store(true, std::memory_order_release);
  }
}

bool RcclTracing::Wants(RcclCallOperation operation) {
  return calls_->Listening(RcclFunctionOf(operation).api);
}

void RcclTracing::Begin(void* room, RcclCallOperation operation, const void* const* arguments) {
  const LibraryFunction& function = RcclFunctionOf(operation);
  auto* const open = new (room) OpenRcclCall;
  memset(&open->payload, 0, sizeof open->payload);
  open->payload.size = sizeof open->payload;
  uint32_t offset = 0;
  for (uint32_t i = 0; i < function.arguments.count; ++i) {
    const ApiArgument& argument = function.arguments.first[i];
    offset = AlignArgument(argument, offset);
    memcpy(reinterpret_cast<char*>(&open->payload.args) + offset, arguments[i], argument.bytes);
    offset += argument.bytes;
  }
  calls_->Begin(&open->call, function.api, &open->payload);
}

void RcclTracing::End(void* room, uint64_t result) {
  auto* const open = static_cast<OpenRcclCall*>(room);
  // Correct for the address of a text and for a 32-bit value.
  open->payload.retval.const_charp_retval = reinterpret_cast<const char*>(result);
  calls_->End(&open->call);
}

}  // namespace rtl::sdk
