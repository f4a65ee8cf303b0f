// SPDX-License-Identifier: MIT
#include "sdk/rccl/rccl_tracing.h"

#include <string.h>

#include <new>

#include "sdk/rccl/rccl_functions.h"

namespace rtl::sdk {
namespace {

struct OpenRcclCall {
  ApiCalls::Call call;
  rocprofiler_callback_tracing_rccl_api_data_t payload;
};
static_assert(sizeof(OpenRcclCall) <= capture::RcclCallHooks::kRoomBytes &&
              alignof(OpenRcclCall) <= 8);

const RcclFunction& RcclFunctionOf(RcclCallOperation operation) {
  return kRcclFunctions[static_cast<size_t>(operation)];
}

}  // namespace

void RcclTracing::Open() {
  for (const RcclFunction& function : kRcclFunctions) {
    if (calls_->Asked(function.api)) asked_.store(true, std::memory_order_release);
  }
}

bool RcclTracing::Wants(RcclCallOperation operation) {
  return calls_->Listening(RcclFunctionOf(operation).api);
}

void RcclTracing::Begin(void* room, RcclCallOperation operation, const void* const* arguments) {
  const RcclFunction& function = RcclFunctionOf(operation);
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
