// SPDX-License-Identifier: MIT
#include "sdk/kinds.h"

#include <string.h>

#include "sdk/hip/hip_functions.h"
#include "sdk/hsa/hsa_functions.h"
#include "sdk/marker/marker_functions.h"

namespace rtl::sdk {
namespace {

// Indexed by kind.
constexpr const char* kCallbackKinds[] = {
    "NONE",
    "HSA_CORE_API",
    "HSA_AMD_EXT_API",
    "HSA_IMAGE_EXT_API",
    "HSA_FINALIZE_EXT_API",
    "HIP_RUNTIME_API",
    "HIP_COMPILER_API",
    "MARKER_CORE_API",
    "MARKER_CONTROL_API",
    "MARKER_NAME_API",
    "CODE_OBJECT",
    "SCRATCH_MEMORY",
    "KERNEL_DISPATCH",
    "MEMORY_COPY",
    "RCCL_API",
    "OMPT",
    "MEMORY_ALLOCATION",
    "RUNTIME_INITIALIZATION",
    "ROCDECODE_API",
    "ROCJPEG_API",
    "HIP_STREAM",
    "MARKER_CORE_RANGE_API",
};
static_assert(sizeof kCallbackKinds / sizeof(char*) == ROCPROFILER_CALLBACK_TRACING_LAST);

constexpr const char* kBufferKinds[] = {
    "NONE",
    "HSA_CORE_API",
    "HSA_AMD_EXT_API",
    "HSA_IMAGE_EXT_API",
    "HSA_FINALIZE_EXT_API",
    "HIP_RUNTIME_API",
    "HIP_COMPILER_API",
    "MARKER_CORE_API",
    "MARKER_CONTROL_API",
    "MARKER_NAME_API",
    "MEMORY_COPY",
    "KERNEL_DISPATCH",
    "SCRATCH_MEMORY",
    "CORRELATION_ID_RETIREMENT",
    "RCCL_API",
    "OMPT",
    "MEMORY_ALLOCATION",
    "RUNTIME_INITIALIZATION",
    "ROCDECODE_API",
    "ROCJPEG_API",
    "HIP_STREAM",
    "HIP_RUNTIME_API_EXT",
    "HIP_COMPILER_API_EXT",
    "ROCDECODE_API_EXT",
    "KFD_EVENT_PAGE_MIGRATE",
    "KFD_EVENT_PAGE_FAULT",
    "KFD_EVENT_QUEUE",
    "KFD_EVENT_UNMAP_FROM_GPU",
    "KFD_EVENT_DROPPED_EVENTS",
    "KFD_PAGE_MIGRATE",
    "KFD_PAGE_FAULT",
    "KFD_QUEUE",
    "MARKER_CORE_RANGE_API",
};
static_assert(sizeof kBufferKinds / sizeof(char*) == ROCPROFILER_BUFFER_TRACING_LAST);

constexpr const char* kCodeObject[] = {
    "CODE_OBJECT_NONE",
    "CODE_OBJECT_LOAD",
    "CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER",
    "CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER",
};
constexpr const char* kHipStream[] = {
    "HIP_STREAM_NONE",
    "HIP_STREAM_CREATE",
    "HIP_STREAM_DESTROY",
    "HIP_STREAM_SET",
};
constexpr const char* kMemoryCopy[] = {
    "MEMORY_COPY_NONE",           "MEMORY_COPY_HOST_TO_HOST",     "MEMORY_COPY_HOST_TO_DEVICE",
    "MEMORY_COPY_DEVICE_TO_HOST", "MEMORY_COPY_DEVICE_TO_DEVICE",
};
constexpr const char* kMemoryAllocation[] = {
    "MEMORY_ALLOCATION_NONE", "MEMORY_ALLOCATION_ALLOCATE",  "MEMORY_ALLOCATION_VMEM_ALLOCATE",
    "MEMORY_ALLOCATION_FREE", "MEMORY_ALLOCATION_VMEM_FREE",
};
constexpr const char* kKernelDispatch[] = {
    "KERNEL_DISPATCH_NONE",
    "KERNEL_DISPATCH_ENQUEUE",
    "KERNEL_DISPATCH_COMPLETE",
};
constexpr const char* kScratchMemory[] = {
    "SCRATCH_MEMORY_NONE",
    "SCRATCH_MEMORY_ALLOC",
    "SCRATCH_MEMORY_FREE",
    "SCRATCH_MEMORY_ASYNC_RECLAIM",
};
constexpr const char* kRuntimeInitialization[] = {
    "RUNTIME_INITIALIZATION_NONE",    "RUNTIME_INITIALIZATION_HSA",
    "RUNTIME_INITIALIZATION_HIP",     "RUNTIME_INITIALIZATION_MARKER",
    "RUNTIME_INITIALIZATION_RCCL",    "RUNTIME_INITIALIZATION_ROCDECODE",
    "RUNTIME_INITIALIZATION_ROCJPEG",
};

#include "sdk/library_operations.inc"

struct Operations {
  const char* const* names;
  int32_t count;
};

template <int32_t kCount>
constexpr Operations From(const char* const (&names)[kCount]) {
  return {names, kCount};
}

Operations OfCallbackKind(uint32_t kind) {
  switch (kind) {
    case ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT:
      return From(kCodeObject);
    case ROCPROFILER_CALLBACK_TRACING_HIP_STREAM:
      return From(kHipStream);
    case ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY:
      return From(kMemoryCopy);
    case ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION:
      return From(kMemoryAllocation);
    case ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH:
      return From(kKernelDispatch);
    case ROCPROFILER_CALLBACK_TRACING_SCRATCH_MEMORY:
      return From(kScratchMemory);
    case ROCPROFILER_CALLBACK_TRACING_RUNTIME_INITIALIZATION:
      return From(kRuntimeInitialization);
    case ROCPROFILER_CALLBACK_TRACING_RCCL_API:
      return From(kRccl);
    case ROCPROFILER_CALLBACK_TRACING_OMPT:
      return From(kOmpt);
    case ROCPROFILER_CALLBACK_TRACING_ROCDECODE_API:
      return From(kRocdecode);
    case ROCPROFILER_CALLBACK_TRACING_ROCJPEG_API:
      return From(kRocjpeg);
    default:
      return {};
  }
}

Operations OfDriverKind(uint32_t kind) {
  switch (kind) {
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_MIGRATE:
      return From(kKfdEventPageMigrate);
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_FAULT:
      return From(kKfdEventPageFault);
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_QUEUE:
      return From(kKfdEventQueue);
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_UNMAP_FROM_GPU:
      return From(kKfdEventUnmapFromGpu);
    case ROCPROFILER_BUFFER_TRACING_KFD_EVENT_DROPPED_EVENTS:
      return From(kKfdEventDroppedEvents);
    case ROCPROFILER_BUFFER_TRACING_KFD_PAGE_MIGRATE:
      return From(kKfdPageMigrate);
    case ROCPROFILER_BUFFER_TRACING_KFD_PAGE_FAULT:
      return From(kKfdPageFault);
    case ROCPROFILER_BUFFER_TRACING_KFD_QUEUE:
      return From(kKfdQueue);
    default:
      return {};
  }
}

Operations OfBufferKind(uint32_t kind) {
  switch (kind) {
    case ROCPROFILER_BUFFER_TRACING_HIP_STREAM:
      return From(kHipStream);
    case ROCPROFILER_BUFFER_TRACING_MEMORY_COPY:
      return From(kMemoryCopy);
    case ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION:
      return From(kMemoryAllocation);
    case ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH:
      return From(kKernelDispatch);
    case ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY:
      return From(kScratchMemory);
    case ROCPROFILER_BUFFER_TRACING_RUNTIME_INITIALIZATION:
      return From(kRuntimeInitialization);
    case ROCPROFILER_BUFFER_TRACING_RCCL_API:
      return From(kRccl);
    case ROCPROFILER_BUFFER_TRACING_OMPT:
      return From(kOmpt);
    case ROCPROFILER_BUFFER_TRACING_ROCDECODE_API:
    case ROCPROFILER_BUFFER_TRACING_ROCDECODE_API_EXT:
      return From(kRocdecode);
    case ROCPROFILER_BUFFER_TRACING_ROCJPEG_API:
      return From(kRocjpeg);
    default:
      return OfDriverKind(kind);
  }
}

HipFunctions HipFunctionsOf(Service service, uint32_t kind) {
  if (service == Service::kBuffer && kind == ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT)
    kind = ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API;
  if (service == Service::kBuffer && kind == ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT)
    kind = ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API;
  return rtl::sdk::HipFunctionsOf(kind);
}

MarkerFunctions MarkerFunctionsOf(Service service, uint32_t kind) {
  constexpr uint32_t kRanges = ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API;
  if (service == Service::kBuffer && kind == kRanges) return {};  // the number is another kind's
  if (service == Service::kBuffer && kind == ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API)
    kind = kRanges;
  return rtl::sdk::MarkerFunctionsOf(kind);
}

}  // namespace

int32_t KindCount(Service service) {
  return service == Service::kCallback ? int32_t{ROCPROFILER_CALLBACK_TRACING_LAST}
                                       : int32_t{ROCPROFILER_BUFFER_TRACING_LAST};
}

const char* KindName(Service service, uint32_t kind) {
  if (kind >= static_cast<uint32_t>(KindCount(service))) return nullptr;
  return service == Service::kCallback ? kCallbackKinds[kind] : kBufferKinds[kind];
}

int32_t OperationCount(Service service, uint32_t kind) {
  if (const HsaFunctions functions = HsaFunctionsOf(kind); functions.count != 0)
    return functions.count;
  if (const HipFunctions functions = HipFunctionsOf(service, kind); functions.count != 0)
    return functions.count;
  if (const MarkerFunctions functions = MarkerFunctionsOf(service, kind); functions.count != 0)
    return functions.count;
  return (service == Service::kCallback ? OfCallbackKind(kind) : OfBufferKind(kind)).count;
}

const char* OperationName(Service service, uint32_t kind, int32_t operation) {
  if (const HipFunctions functions = HipFunctionsOf(service, kind); functions.count != 0)
    return operation >= 0 && operation < functions.count ? functions.first[operation].name
                                                         : nullptr;
  const Operations all = service == Service::kCallback ? OfCallbackKind(kind) : OfBufferKind(kind);
  if (const HsaFunctions functions = HsaFunctionsOf(kind); functions.count != 0)
    return operation >= 0 && operation < functions.count ? functions.first[operation].name
                                                         : nullptr;
  if (const MarkerFunctions functions = MarkerFunctionsOf(service, kind); functions.count != 0)
    return operation >= 0 && operation < functions.count ? functions.first[operation].name
                                                         : nullptr;
  return operation >= 0 && operation < all.count ? all.names[operation] : nullptr;
}

bool IsProduced(Service service, uint32_t kind) {
  if (HsaFunctionsOf(kind).count != 0 || HipFunctionsOf(service, kind).count != 0 ||
      MarkerFunctionsOf(service, kind).count != 0)
    return true;
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
