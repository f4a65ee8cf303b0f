// SPDX-License-Identifier: MIT
#include "sdk/kinds.h"

#include <string.h>

namespace rtl::sdk {
namespace {

// True for the kinds of HSA, HIP and ROCTx.
bool IsOfLibrary(Service service, uint32_t kind) {
  if (kind >= ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API &&
      kind <= ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API)
    return true;  // both services share the numbers
  if (service == Service::kCallback)
    return kind == ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API;
  return kind == ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT ||
         kind == ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT ||
         kind == ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API;
}

}  // namespace

bool IsProduced(Service service, uint32_t kind) {
  if (IsOfLibrary(service, kind)) return true;
  static_assert(static_cast<int>(ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION) ==
                static_cast<int>(ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION));
  static_assert(static_cast<int>(ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION) ==
                static_cast<int>(ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION));
  static_assert(static_cast<int>(ROCPROFILER_CALLBACK_TRACING_RCCL_API) ==
                static_cast<int>(ROCPROFILER_BUFFER_TRACING_RCCL_API));
  static_assert(static_cast<int>(ROCPROFILER_CALLBACK_TRACING_OMPT) ==
                static_cast<int>(ROCPROFILER_BUFFER_TRACING_OMPT));
  if (kind == ROCPROFILER_CALLBACK_TRACING_RCCL_API || kind == ROCPROFILER_CALLBACK_TRACING_OMPT ||
      kind == ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION ||
      kind == ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION)
    return true;
  if (service == Service::kCallback)
    return kind == ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT ||
           kind == ROCPROFILER_CALLBACK_TRACING_SCRATCH_MEMORY ||
           kind == ROCPROFILER_CALLBACK_TRACING_HIP_STREAM ||
           kind == ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH ||
           kind == ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY;
  return kind == ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT ||
         kind == ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY ||
         kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH ||
         kind == ROCPROFILER_BUFFER_TRACING_MEMORY_COPY;
}

rocprofiler_status_t OperationsOf(Service service, uint32_t kind) {
  if (kind == 0 || KindName(service, kind) == nullptr)
    return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
  return OperationCount(service, kind) == 0 ? ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED
                                            : ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t AnswerName(const char* text, rocprofiler_status_t otherwise, const char** name,
                                uint64_t* length) {
  if (name != nullptr) *name = text;
  if (length != nullptr) *length = text == nullptr ? 0 : strlen(text);
  return text == nullptr ? otherwise : ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace rtl::sdk
