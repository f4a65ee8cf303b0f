// SPDX-License-Identifier: MIT
// kinds.h: answers what the interface asks about kinds and operations, and reports the kinds that
// this library never produces.
//
// Threads    any
#pragma once

#include <rocprofiler-sdk/fwd.h>

#include "names/kinds.h"
#include "sdk/contexts/contexts.h"

namespace rtl::sdk {

using names::KindName;
using names::OperationName;
using names::Service;

// Writes one line to stderr if RTL_LOG is set and a context subscribes to a kind of which no event
// is ever produced; otherwise does nothing.
void ReportUnproduced(const Contexts& contexts);

// SUCCESS if the names of the kind's operations are known here.
rocprofiler_status_t OperationsOf(Service service, uint32_t kind);

// Stores the text and its length and returns SUCCESS. If `text` is null, returns `otherwise`. Both
// pointers may be null.
rocprofiler_status_t AnswerName(const char* text, rocprofiler_status_t otherwise, const char** name,
                                uint64_t* length);
rocprofiler_status_t AnswerKindName(Service service, uint32_t kind, const char** name,
                                    uint64_t* length);
rocprofiler_status_t AnswerOperationName(Service service, uint32_t kind, int32_t operation,
                                         const char** name, uint64_t* length);

// Calls the tool back for each kind, or for each operation of a kind, until the tool returns
// nonzero.
template <typename Kind>
rocprofiler_status_t IterateKinds(Service service, int (*callback)(Kind kind, void* data),
                                  void* data) {
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  for (int32_t i = 0; i < names::KindCount(service); ++i) {
    if (callback(static_cast<Kind>(i), data) != 0) break;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}
template <typename Kind>
rocprofiler_status_t IterateOperations(Service service, Kind kind,
                                       int (*callback)(Kind kind, int32_t operation, void* data),
                                       void* data) {
  if (callback == nullptr) return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
  for (int32_t i = 0; i < names::OperationCount(service, kind); ++i) {
    if (callback(kind, i, data) != 0) break;
  }
  return OperationsOf(service, kind);
}

}  // namespace rtl::sdk
