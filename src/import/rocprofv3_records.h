// SPDX-License-Identifier: MIT
// rocprofv3_records.h: reads what the three forms of rocprofv3's results (JSON, rocpd, CSV) share:
// the names of domains, operations and directions.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// A call of any interface.
struct Rocprofv3Call : ImportedCall {
  std::string_view domain;   // "HIP_RUNTIME_API_EXT"
  std::string_view message;  // text of a marker
};
Status AddCall(const Rocprofv3Call& call, ImportedTrace* trace);

struct Rocprofv3Allocation {
  std::string_view operation;  // "MEMORY_ALLOCATION_ALLOCATE", "SCRATCH_MEMORY_FREE"
  bool is_scratch = false;
  std::string_view thread;
  uint64_t correlation = 0, bytes = 0, address = 0, flags = 0;
  int64_t start = 0, end = 0;
};
Status AddAllocation(const Rocprofv3Allocation& allocation, ImportedTrace* trace);

// Reads "MEMORY_COPY_HOST_TO_DEVICE".
CopyKind CopyKindOf(std::string_view direction);

// The name of a kernel's symbol without the ending ".kd" of its descriptor.
std::string_view WithoutKd(std::string_view kernel);

// The number at the beginning of the text, decimal or after "0x". Zero if there is none.
uint64_t AnyNumber(std::string_view text);

}  // namespace rtl::import
