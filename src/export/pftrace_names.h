// SPDX-License-Identifier: MIT
// pftrace_names.h: the interning ids of an export's categories and arguments. Id 0 means none.
#pragma once

#include <cstdint>
#include <iterator>

#include "export/event_arguments.h"

namespace rtl::exporting {

// The categories have rocprofv3's names.
enum Category : uint64_t {
  kKernel = 1,
  kMarker = 2,
  kSubmit = 3,
  kHip = 4,
  kCopy = 5,
  kBarrier = 6,
  kPcSample = 7,
  kOperatorSpan = 8,  // the name that torch.profiler's traces have
  kPythonSpan = 9
};
inline constexpr const char* kCategories[] = {"kernel_dispatch", "marker_api",  "submit",
                                              "hip_api",         "memory_copy", "barrier",
                                              "pc_sample",       "cpu_op",      "python_function"};

// Names of events that the trace does not have as strings. Copies have rocprofv3's names.
enum EventName : uint64_t {
  kSubmitName = 1,
  kCopyHostToHost,
  kCopyHostToDevice,
  kCopyDeviceToHost,
  kCopyDeviceToDevice,
};
inline constexpr const char* kEventNames[] = {
    "submit",
    "MEMORY_COPY_HOST_TO_HOST",
    "MEMORY_COPY_HOST_TO_DEVICE",
    "MEMORY_COPY_DEVICE_TO_HOST",
    "MEMORY_COPY_DEVICE_TO_DEVICE",
};

// First the names of this project, then rocprofv3's names for the same values, by which other tools
// find them.
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
  kKernelName,
  kCorrId,
  kBeginNs,
  kEndNs,
  kDeltaNs,
  kAgent,
  kQueue,
  kStreamId,
  kKernelId,
  kGridSize,
  kWorkgroupSize,
  kVgprCount,
  kSgprCount,
  kLdsBlockSize,
  kScratchSize,
  kCopyBytes,
  kSrcAgent,
  kDstAgent,
  kTid,
  kAgentType,
  kAccumVgprCount,
  kInstruction,
  kLanes,
  kWave,
  kInputs,
};
inline constexpr const char* kAnnotations[] = {
    "grid",           "workgroup",
    "lds_bytes",      "scratch_bytes",
    "vgprs",          "sgprs",
    "kernarg_bytes",  "wait_ns",
    "packet",         "dispatch",
    "correlation_id", "submit_tid",
    "mangled_name",   "roctx_range",
    "code_object",    "range_id",
    "unclosed",       "args",
    "result",         "bytes",
    "stream",         "graph",
    "graph_launch",   "graph_node",
    "dependencies",   "kernel_name",
    "corr_id",        "begin_ns",
    "end_ns",         "delta_ns",
    "agent",          "queue",
    "stream_ID",      "kernel_id",
    "grid_size",      "workgroup_size",
    "VGPR_Count",     "SGPR_Count",
    "LDS_Block_Size", "Scratch_Size",
    "copy_bytes",     "src_agent",
    "dst_agent",      "tid",
    "agent_type",     "Accum_VGPR_Count",
    "instruction",    "active_lanes",
    "wave",           "inputs",
};

// After these constants come the categories and arguments of the span kinds (model/event_kinds.h),
// in the order of the kinds.
inline uint64_t CategoryOf(EventKind kind) {
  return std::size(kCategories) + 1 + static_cast<uint64_t>(kind);
}
inline uint64_t AnnotationOf(EventKind kind, uint32_t argument) {
  return std::size(kAnnotations) + 1 + static_cast<uint64_t>(kind) * EventArgument::kMost +
         argument;
}

}  // namespace rtl::exporting
