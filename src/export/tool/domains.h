// SPDX-License-Identifier: MIT
// domains.h: rocprofv3's domains of events, one row each: the words in its files, and the events of
// a trace in them. A new domain is a new row.
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
// The domains of calls: events with a name and one thread.
inline constexpr Domain kCallDomains[] = {Domain::kHsa, Domain::kHip, Domain::kRccl};

struct DomainInfo {
  Domain domain;
  const char* name;        // "HIP_API"
  const char* trace_file;  // "hip_api_trace"
  const char* stats_file;  // "hip_api_stats"
  const char* json_list;   // of buffer_records
  uint32_t record_bytes;   // of one record in rocprofiler-sdk's buffers
};
const DomainInfo& InfoOf(Domain domain);

// A family of API functions, by the beginning of their names.
struct ApiFamily {
  const char* prefix;
  Domain domain;
  rocprofiler_buffer_tracing_kind_t kind;
  const char* old_kind;  // its name in version 0.5
};
// The first that fits; null: none does.
const ApiFamily* FamilyOf(std::string_view function);
// The same for a function whose domain is known: a name of another interface, such as those of
// CUDA in a foreign trace, counts to the domain's general family.
const ApiFamily& FamilyIn(Domain domain, std::string_view function);

const char* KindText(rocprofiler_buffer_tracing_kind_t kind);

}  // namespace rtl::exporting::tool
