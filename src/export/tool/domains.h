// SPDX-License-Identifier: MIT
// domains.h: the table of rocprofv3's domains of events, one row each: the words in rocprofv3's
// files, and the events of a trace that belong to the domain. A new domain needs a new row.
//
// Threads    any; everything is constant
#pragma once

#include <rocprofiler-sdk/fwd.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rtl::exporting::tool {

// In the order of rocprofv3's summaries.
enum class Domain : uint8_t { kHsa, kHip, kMarker, kKernel, kCopy, kScratch, kAllocation, kRccl };
inline constexpr size_t kDomainCount = 8;
// The domains of calls: their events have a name and one thread.
inline constexpr Domain kCallDomains[] = {Domain::kHsa, Domain::kHip, Domain::kRccl};

struct DomainInfo {
  Domain domain;
  const char* name;        // for example "HIP_API"
  const char* trace_file;  // for example "hip_api_trace"
  const char* stats_file;  // for example "hip_api_stats"
  const char* json_list;   // name of the list in buffer_records
  uint32_t record_bytes;   // size of one record in rocprofiler-sdk's buffers
};
const DomainInfo& InfoOf(Domain domain);

// A family of API functions whose names have the same beginning.
struct ApiFamily {
  const char* prefix;
  Domain domain;
  rocprofiler_buffer_tracing_kind_t kind;
  const char* old_kind;  // name of the kind in version 0.5
};
// The first family to which the function belongs; null if there is none.
const ApiFamily* FamilyOf(std::string_view function);
// The family of a function whose domain is known. A function of another interface, such as CUDA in
// a foreign trace, belongs to the general family of the domain.
const ApiFamily& FamilyIn(Domain domain, std::string_view function);

const char* KindText(rocprofiler_buffer_tracing_kind_t kind);
const char* OperationText(rocprofiler_buffer_tracing_kind_t kind, int32_t operation);

}  // namespace rtl::exporting::tool
