// SPDX-License-Identifier: MIT
// traced_environment.h: makes the environment in which a program loads the tracer, and on request
// the virtual GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::cli {

struct TracedEnvironment {
  std::string librtl;                   // absolute
  std::string spool;                    // absolute
  std::string mode;                     // empty: RTL_MODE stays unchanged
  std::string events;                   // empty: RTL_EVENTS stays unchanged
  std::string counters;                 // empty: RTL_COUNTERS stays unchanged
  uint64_t counter_group_interval = 0;  // 0: RTL_COUNTER_GROUP_INTERVAL stays unchanged
  std::string counter_kernels;          // empty: RTL_COUNTER_KERNELS stays unchanged
  std::string counter_file;             // absolute; empty: RTL_COUNTER_FILE stays unchanged
  uint64_t pc_sampling_us = 0;          // 0: RTL_PC_SAMPLING stays unchanged
  bool lossless = false;                // false: RTL_LOSSLESS stays unchanged
  bool allow_fallback = false;          // false: RTL_ALLOW_FALLBACK stays unchanged
  bool barriers = false;                // false: RTL_BARRIERS stays unchanged
  bool paused = false;                  // false: RTL_PAUSED stays unchanged
  uint64_t record_from = 0;             // CLOCK_BOOTTIME ns; 0: RTL_RECORD_FROM stays unchanged
  uint64_t record_until = 0;            // CLOCK_BOOTTIME ns; 0: RTL_RECORD_UNTIL stays unchanged
  std::string while_range;              // empty: RTL_WHILE_RANGE stays unchanged
  std::string kokkos;  // our tool library for Kokkos; empty: KOKKOS_TOOLS_LIBS stays unchanged
  std::string roctx;   // our libroctx64.so.4; empty: not preloaded
  std::string hip;     // librtl_hip.so, preloaded if the mode needs it; empty: never preloaded
  std::string rccl;    // librtl_rccl.so; empty: not preloaded
  std::string sdk;   // librocprofiler-sdk.so.1, for tools that the user names; empty: not installed
  std::string vgpu;  // libvgpu.so; empty: real GPUs
  std::optional<uint32_t> gpus;
  // A program for musl, into which nothing can be preloaded (program_loader.h).
  bool for_musl = false;
};

// The tools in HSA_TOOLS_LIB. rocprofiler-sdk's library is kept after our library and serves its
// tools in the same run. Other tools are replaced, because they would intercept our packets.
struct ToolNames {
  std::string kept, replaced;  // separated by spaces, in their order
};
ToolNames SortTools(const std::string& tools);

// The variables of this process.
std::vector<std::string> OwnVariables();

// Finds the tracer and, on request, the virtual GPU.
Status FindTracer(bool on_vgpu, TracedEnvironment* out);
// Finds the libraries that a trace may lack. Without librtl_hip.so, only HIP calls that HIP itself
// reports are seen. Without libroctx64.so.4, only ROCTx calls of programs that are linked to a
// ROCTx library are seen.
void FindOptionalLibraries(TracedEnvironment* out);

// Adds the settings of the tracer to `variables` ("NAME=value"). In LD_PRELOAD, our libraries come
// before those that were there.
std::vector<std::string> MakeTraced(std::vector<std::string> variables,
                                    const TracedEnvironment& traced);

std::optional<std::string> FindVariable(const std::vector<std::string>& variables,
                                        const std::string& name);

// Why this value of ROCPROFILER_REGISTER_LIBRARY would end a program whose ROCm registers its
// tables: the library cannot be used. Empty: there is no problem.
std::string RegisterProblem(const std::vector<std::string>& variables);

}  // namespace rtl::cli
