// SPDX-License-Identifier: MIT
#include "names/kinds.h"

#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/hip/api_id.h>
#include <stddef.h>

namespace rtl::names {
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

#include "names/library_operations.inc"

struct Operations {
  const char* const* names;
  int32_t count;
};

template <int32_t kCount>
constexpr Operations From(const char* const (&names)[kCount]) {
  return {names, kCount};
}

// The functions of libraries: their names in the order of the kinds, and the kind of each.
namespace hsa {
enum Table : uint32_t {
  kCore = ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API,
  kAmdExt = ROCPROFILER_CALLBACK_TRACING_HSA_AMD_EXT_API,
  kImageExt = ROCPROFILER_CALLBACK_TRACING_HSA_IMAGE_EXT_API,
  kFinalizeExt = ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API,
};
#define HSA_FUNCTION(table, operation, old_slot, name, ...) #name,
constexpr const char* kNames[] = {
#include "names/hsa_functions.inc"
};
#undef HSA_FUNCTION
#define HSA_FUNCTION(table, ...) table,
constexpr uint32_t kKinds[] = {
#include "names/hsa_functions.inc"
};
}  // namespace hsa

namespace hip {
enum Table : uint32_t {
  kRuntime = ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API,
  kCompiler = ROCPROFILER_CALLBACK_TRACING_HIP_COMPILER_API,
};
#define HIP_OTHER_NAME(...)
#define HIP_FUNCTION(table, operation, name, ...) #name,
constexpr const char* kNames[] = {
#include "names/hip_functions.inc"
};
#undef HIP_FUNCTION
#define HIP_FUNCTION(table, ...) table,
constexpr uint32_t kKinds[] = {
#include "names/hip_functions.inc"
};
}  // namespace hip

namespace marker {
enum Table : uint32_t {
  kCore = ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API,
  kControl = ROCPROFILER_CALLBACK_TRACING_MARKER_CONTROL_API,
  kName = ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API,
};
#define MARKER_FUNCTION(table, operation, name, ...) #name,
constexpr const char* kNames[] = {
#include "names/marker_functions.inc"
};
#undef MARKER_FUNCTION
#define MARKER_FUNCTION(table, ...) table,
constexpr uint32_t kKinds[] = {
#include "names/marker_functions.inc"
};
constexpr const char* kRanges[] = {"roctxMarkA", "roctxThreadRangeA", "roctxProcessRangeA",
                                   "roctxGetThreadId"};
}  // namespace marker

template <size_t kCount>
Operations Among(const char* const (&names)[kCount], const uint32_t (&kinds)[kCount],
                 uint32_t kind) {
  size_t first = 0;
  while (first < kCount && kinds[first] != kind) ++first;
  size_t end = first;
  while (end < kCount && kinds[end] == kind) ++end;
  return {names + first, static_cast<int32_t>(end - first)};
}

// The operations of a kind whose number is the same in both services.
Operations OfLibrary(uint32_t kind) {
  if (const Operations all = Among(hsa::kNames, hsa::kKinds, kind); all.count != 0) return all;
  if (const Operations all = Among(hip::kNames, hip::kKinds, kind); all.count != 0) return all;
  return Among(marker::kNames, marker::kKinds, kind);
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
    case ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API:
      return From(marker::kRanges);
    default:
      return OfLibrary(kind);
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
    case ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT:
      return OfLibrary(ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API);
    case ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT:
      return OfLibrary(ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API);
    case ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API:
      return From(marker::kRanges);
    default:
      if (const Operations all = OfDriverKind(kind); all.count != 0) return all;
      return OfLibrary(kind);
  }
}

Operations AllOf(Service service, uint32_t kind) {
  return service == Service::kCallback ? OfCallbackKind(kind) : OfBufferKind(kind);
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

int32_t OperationCount(Service service, uint32_t kind) { return AllOf(service, kind).count; }

const char* OperationName(Service service, uint32_t kind, int32_t operation) {
  const Operations all = AllOf(service, kind);
  return operation >= 0 && operation < all.count ? all.names[operation] : nullptr;
}

}  // namespace rtl::names
