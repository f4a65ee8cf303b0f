// SPDX-License-Identifier: MIT
#include "export/tool/domains.h"

#include <rocprofiler-sdk/buffer_tracing.h>

#include "names/kinds.h"

namespace rtl::exporting::tool {
namespace {

constexpr DomainInfo kDomains[kDomainCount] = {
    {Domain::kHsa, "HSA_API", "hsa_api_trace", "hsa_api_stats", "hsa_api",
     sizeof(rocprofiler_buffer_tracing_hsa_api_record_t)},
    {Domain::kHip, "HIP_API", "hip_api_trace", "hip_api_stats", "hip_api",
     sizeof(rocprofiler_buffer_tracing_hip_api_ext_record_t)},
    {Domain::kMarker, "MARKER_API", "marker_api_trace", "marker_api_stats", "marker_api",
     sizeof(rocprofiler_buffer_tracing_marker_api_record_t)},
    {Domain::kKernel, "KERNEL_DISPATCH", "kernel_trace", "kernel_stats", "kernel_dispatch",
     sizeof(rocprofiler_buffer_tracing_kernel_dispatch_record_t)},
    {Domain::kCopy, "MEMORY_COPY", "memory_copy_trace", "memory_copy_stats", "memory_copy",
     sizeof(rocprofiler_buffer_tracing_memory_copy_record_t)},
    {Domain::kScratch, "SCRATCH_MEMORY", "scratch_memory_trace", "scratch_memory_stats",
     "scratch_memory", sizeof(rocprofiler_buffer_tracing_scratch_memory_record_t)},
    {Domain::kAllocation, "MEMORY_ALLOCATION", "memory_allocation_trace", "memory_allocation_stats",
     "memory_allocation", sizeof(rocprofiler_buffer_tracing_memory_allocation_record_t)},
    {Domain::kRccl, "RCCL_API", "rccl_api_trace", "rccl_api_stats", "rccl_api",
     sizeof(rocprofiler_buffer_tracing_rccl_api_record_t)},
};

constexpr ApiFamily kFamilies[] = {
    {"__hip", Domain::kHip, ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT, "HIP_COMPILER_API"},
    {"hip", Domain::kHip, ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API_EXT, "HIP_RUNTIME_API"},
    {"hsa_amd_", Domain::kHsa, ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API, "HSA_AMD_EXT_API"},
    {"hsa_ext_program_", Domain::kHsa, ROCPROFILER_BUFFER_TRACING_HSA_FINALIZE_EXT_API,
     "HSA_FINALIZE_EXT_API"},
    {"hsa_ext_", Domain::kHsa, ROCPROFILER_BUFFER_TRACING_HSA_IMAGE_EXT_API, "HSA_IMAGE_EXT_API"},
    {"hsa_", Domain::kHsa, ROCPROFILER_BUFFER_TRACING_HSA_CORE_API, "HSA_CORE_API"},
    {"nccl", Domain::kRccl, ROCPROFILER_BUFFER_TRACING_RCCL_API, "RCCL_API"},
    {"mscc", Domain::kRccl, ROCPROFILER_BUFFER_TRACING_RCCL_API, "RCCL_API"},
};

}  // namespace

const DomainInfo& InfoOf(Domain domain) { return kDomains[static_cast<size_t>(domain)]; }

const ApiFamily* FamilyOf(std::string_view function) {
  for (const ApiFamily& family : kFamilies) {
    if (function.starts_with(family.prefix)) return &family;
  }
  return nullptr;
}

const ApiFamily& FamilyIn(Domain domain, std::string_view function) {
  const ApiFamily* const family = FamilyOf(function);
  if (family != nullptr && family->domain == domain) return *family;
  return *FamilyOf(domain == Domain::kHsa ? "hsa_" : domain == Domain::kRccl ? "nccl" : "hip");
}

const char* KindText(rocprofiler_buffer_tracing_kind_t kind) {
  const char* const text = names::KindName(names::Service::kBuffer, static_cast<uint32_t>(kind));
  return text == nullptr ? "NONE" : text;
}

const char* OperationText(rocprofiler_buffer_tracing_kind_t kind, int32_t operation) {
  const char* const text =
      names::OperationName(names::Service::kBuffer, static_cast<uint32_t>(kind), operation);
  return text == nullptr ? "" : text;
}

}  // namespace rtl::exporting::tool
