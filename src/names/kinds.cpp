// SPDX-License-Identifier: MIT
#include "names/kinds.h"

#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/hip/api_id.h>
#include <stddef.h>

namespace rtl::names {
namespace {

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
constexpr Operations Among(const char* const (&names)[kCount], const uint32_t (&kinds)[kCount],
                           uint32_t kind) {
  size_t first = 0;
  while (first < kCount && kinds[first] != kind) ++first;
  size_t end = first;
  while (end < kCount && kinds[end] == kind) ++end;
  return {names + first, static_cast<int32_t>(end - first)};
}

struct Kind {
  const char* name;
  Operations operations;
};

// Indexed by kind.
constexpr Kind kCallbackKinds[] = {
    {"NONE", {}},
    {"HSA_CORE_API", Among(hsa::kNames, hsa::kKinds, hsa::kCore)},
    {"HSA_AMD_EXT_API", Among(hsa::kNames, hsa::kKinds, hsa::kAmdExt)},
    {"HSA_IMAGE_EXT_API", Among(hsa::kNames, hsa::kKinds, hsa::kImageExt)},
    {"HSA_FINALIZE_EXT_API", Among(hsa::kNames, hsa::kKinds, hsa::kFinalizeExt)},
    {"HIP_RUNTIME_API", Among(hip::kNames, hip::kKinds, hip::kRuntime)},
    {"HIP_COMPILER_API", Among(hip::kNames, hip::kKinds, hip::kCompiler)},
    {"MARKER_CORE_API", Among(marker::kNames, marker::kKinds, marker::kCore)},
    {"MARKER_CONTROL_API", Among(marker::kNames, marker::kKinds, marker::kControl)},
    {"MARKER_NAME_API", Among(marker::kNames, marker::kKinds, marker::kName)},
    {"CODE_OBJECT", From(kCodeObject)},
    {"SCRATCH_MEMORY", From(kScratchMemory)},
    {"KERNEL_DISPATCH", From(kKernelDispatch)},
    {"MEMORY_COPY", From(kMemoryCopy)},
    {"RCCL_API", From(kRccl)},
    {"OMPT", From(kOmpt)},
    {"MEMORY_ALLOCATION", From(kMemoryAllocation)},
    {"RUNTIME_INITIALIZATION", From(kRuntimeInitialization)},
    {"ROCDECODE_API", From(kRocdecode)},
    {"ROCJPEG_API", From(kRocjpeg)},
    {"HIP_STREAM", From(kHipStream)},
    {"MARKER_CORE_RANGE_API", From(marker::kRanges)},
};
static_assert(sizeof kCallbackKinds / sizeof(Kind) == ROCPROFILER_CALLBACK_TRACING_LAST);

constexpr Kind kBufferKinds[] = {
    {"NONE", {}},
    {"HSA_CORE_API", Among(hsa::kNames, hsa::kKinds, hsa::kCore)},
    {"HSA_AMD_EXT_API", Among(hsa::kNames, hsa::kKinds, hsa::kAmdExt)},
    {"HSA_IMAGE_EXT_API", Among(hsa::kNames, hsa::kKinds, hsa::kImageExt)},
    {"HSA_FINALIZE_EXT_API", Among(hsa::kNames, hsa::kKinds, hsa::kFinalizeExt)},
    {"HIP_RUNTIME_API", Among(hip::kNames, hip::kKinds, hip::kRuntime)},
    {"HIP_COMPILER_API", Among(hip::kNames, hip::kKinds, hip::kCompiler)},
    {"MARKER_CORE_API", Among(marker::kNames, marker::kKinds, marker::kCore)},
    {"MARKER_CONTROL_API", Among(marker::kNames, marker::kKinds, marker::kControl)},
    {"MARKER_NAME_API", Among(marker::kNames, marker::kKinds, marker::kName)},
    {"MEMORY_COPY", From(kMemoryCopy)},
    {"KERNEL_DISPATCH", From(kKernelDispatch)},
    {"SCRATCH_MEMORY", From(kScratchMemory)},
    {"CORRELATION_ID_RETIREMENT", {}},
    {"RCCL_API", From(kRccl)},
    {"OMPT", From(kOmpt)},
    {"MEMORY_ALLOCATION", From(kMemoryAllocation)},
    {"RUNTIME_INITIALIZATION", From(kRuntimeInitialization)},
    {"ROCDECODE_API", From(kRocdecode)},
    {"ROCJPEG_API", From(kRocjpeg)},
    {"HIP_STREAM", From(kHipStream)},
    {"HIP_RUNTIME_API_EXT", Among(hip::kNames, hip::kKinds, hip::kRuntime)},
    {"HIP_COMPILER_API_EXT", Among(hip::kNames, hip::kKinds, hip::kCompiler)},
    {"ROCDECODE_API_EXT", From(kRocdecode)},
    {"KFD_EVENT_PAGE_MIGRATE", From(kKfdEventPageMigrate)},
    {"KFD_EVENT_PAGE_FAULT", From(kKfdEventPageFault)},
    {"KFD_EVENT_QUEUE", From(kKfdEventQueue)},
    {"KFD_EVENT_UNMAP_FROM_GPU", From(kKfdEventUnmapFromGpu)},
    {"KFD_EVENT_DROPPED_EVENTS", From(kKfdEventDroppedEvents)},
    {"KFD_PAGE_MIGRATE", From(kKfdPageMigrate)},
    {"KFD_PAGE_FAULT", From(kKfdPageFault)},
    {"KFD_QUEUE", From(kKfdQueue)},
    {"MARKER_CORE_RANGE_API", From(marker::kRanges)},
};
static_assert(sizeof kBufferKinds / sizeof(Kind) == ROCPROFILER_BUFFER_TRACING_LAST);

// Returns null if there is no such kind.
const Kind* Find(Service service, uint32_t kind) {
  if (kind >= static_cast<uint32_t>(KindCount(service))) return nullptr;
  return service == Service::kCallback ? &kCallbackKinds[kind] : &kBufferKinds[kind];
}

}  // namespace

int32_t KindCount(Service service) {
  return service == Service::kCallback ? int32_t{ROCPROFILER_CALLBACK_TRACING_LAST}
                                       : int32_t{ROCPROFILER_BUFFER_TRACING_LAST};
}

const char* KindName(Service service, uint32_t kind) {
  const Kind* const known = Find(service, kind);
  return known == nullptr ? nullptr : known->name;
}

int32_t OperationCount(Service service, uint32_t kind) {
  const Kind* const known = Find(service, kind);
  return known == nullptr ? 0 : known->operations.count;
}

const char* OperationName(Service service, uint32_t kind, int32_t operation) {
  return operation >= 0 && operation < OperationCount(service, kind)
             ? Find(service, kind)->operations.names[operation]
             : nullptr;
}

}  // namespace rtl::names
