// SPDX-License-Identifier: MIT
// pftrace_names.h: the categories and arguments of an export, by interning id. Id 0 means none.
#pragma once

#include <cstdint>
#include <iterator>

#include "export/event_arguments.h"

namespace rtl::exporting {

enum Category : uint64_t {
  kKernel = 1,
  kRoctx = 2,
  kSubmit = 3,
  kHip = 4,
  kCopy = 5,
  kBarrier = 6
};
inline constexpr const char* kCategories[] = {"kernel", "roctx", "submit",
                                              "hip",    "copy",  "barrier"};

enum Annotation : uint64_t {
  kGrid = 1,
  kWorkgroup,
  kLds,
  kScratch,
  kVgprs,
  kSgprs,
  kKernarg,
  kWait,
  kPacket,
  kDispatch,
  kCorrelation,
  kSubmitThread,
  kMangled,
  kRange,
  kCodeObject,
  kRangeId,
  kUnclosed,
  kArguments,
  kResult,
  kBytes,
  kStream,
  kGraph,
  kGraphLaunch,
  kGraphNode,
  kDependencies,
};
inline constexpr const char* kAnnotations[] = {
    "grid",           "workgroup",     "lds_bytes",    "scratch_bytes", "vgprs",
    "sgprs",          "kernarg_bytes", "wait_ns",      "packet",        "dispatch",
    "correlation_id", "submit_tid",    "mangled_name", "roctx_range",   "code_object",
    "range_id",       "unclosed",      "args",         "result",        "bytes",
    "stream",         "graph",         "graph_launch", "graph_node",    "dependencies",
};

// Behind these come the categories and arguments of span kinds (model/event_kinds.h), by kind.
inline uint64_t CategoryOf(EventKind kind) {
  return std::size(kCategories) + 1 + static_cast<uint64_t>(kind);
}
inline uint64_t AnnotationOf(EventKind kind, uint32_t argument) {
  return std::size(kAnnotations) + 1 + static_cast<uint64_t>(kind) * EventArgument::kMost +
         argument;
}

// Flows of calls, apart from those of kernels, which are small numbers. Correlation ids count up
// per process.
inline uint64_t CallFlowId(uint32_t pid, uint64_t correlation) {
  return uint64_t{1} << 63 | uint64_t{pid} << 40 | (correlation & ((uint64_t{1} << 40) - 1));
}

}  // namespace rtl::exporting
