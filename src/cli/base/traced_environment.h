// SPDX-License-Identifier: MIT
// traced_environment.h: the environment that makes a program load the tracer and, on request, the
// virtual GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
  uint64_t record_until = 0;            // as record_from
  std::string while_range;              // empty: RTL_WHILE_RANGE stays unchanged
  std::string kokkos;  // our tool library for Kokkos; empty: KOKKOS_TOOLS_LIBS stays unchanged
  std::string roctx;   // our libroctx64.so.4; empty: not preloaded
  std::string hip;     // librtl_hip.so, preloaded where it is useful; empty: never
  std::string rccl;    // librtl_rccl.so, as hip
  std::string sdk;     // librocprofiler-sdk.so.1, for tools that the user names; empty: not there
  std::string vgpu;    // libvgpu.so; empty: real GPUs
  std::optional<uint32_t> gpus;
  bool for_musl = false;  // nothing can be preloaded (program_loader.h)
};

// The tools in HSA_TOOLS_LIB. rocprofiler-sdk's library stays after ours and serves its tools in
// the same run. Other tools would intercept our packets.
struct ToolNames {
  std::string kept, replaced;  // separated by spaces, in their order
};
ToolNames SortTools(const std::string& tools);

// `variables` ("NAME=value") with the tracer's settings added. The previous libraries of LD_PRELOAD
// follow the added ones.
std::vector<std::string> MakeTraced(std::vector<std::string> variables,
                                    const TracedEnvironment& traced);

std::optional<std::string> FindVariable(const std::vector<std::string>& variables,
                                        const std::string& name);

// The problem with ROCPROFILER_REGISTER_LIBRARY, which ends a program whose ROCm registers its
// tables; empty: none.
std::string RegisterProblem(const std::vector<std::string>& variables);

}  // namespace rtl::cli
