// SPDX-License-Identifier: MIT
// traced_environment.h: the environment that makes a program load the tracer, and, when asked for,
// the virtual GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rtl::cli {

struct TracedEnvironment {
  std::string librtl;           // absolute
  std::string spool;            // absolute
  std::string mode;             // empty: RTL_MODE stays as it is
  std::string events;           // empty: RTL_EVENTS stays as it is
  std::string counters;         // empty: RTL_COUNTERS stays as it is
  std::string counter_kernels;  // empty: RTL_COUNTER_KERNELS stays as it is
  std::string counter_file;     // absolute; empty: RTL_COUNTER_FILE stays as it is
  uint64_t pc_sampling_us = 0;  // 0: RTL_PC_SAMPLING stays as it is
  bool lossless = false;        // else RTL_LOSSLESS stays as it is
  bool allow_fallback = false;  // else RTL_ALLOW_FALLBACK stays as it is
  bool barriers = false;        // else RTL_BARRIERS stays as it is
  bool paused = false;          // else RTL_PAUSED stays as it is
  uint64_t record_from = 0;     // CLOCK_BOOTTIME ns; else RTL_RECORD_FROM stays as it is
  uint64_t record_until = 0;    // as record_from
  std::string while_range;      // empty: RTL_WHILE_RANGE stays as it is
  std::string kokkos;  // our tool library for Kokkos; empty: KOKKOS_TOOLS_LIBS stays as it is
  std::string roctx;   // our libroctx64.so.4; empty: not preloaded
  std::string hip;     // librtl_hip.so, preloaded where it is of use; empty: never
  std::string rccl;    // librtl_rccl.so, as hip
  std::string vgpu;    // libvgpu.so; empty: real GPUs
  std::optional<uint32_t> gpus;
};

// What HSA_TOOLS_LIB names: rocprofiler-sdk's library, which stays behind ours and serves its tools
// in the same run, and other tools, which would intercept the packets that are ours.
struct ToolNames {
  std::string kept, replaced;  // separated by spaces, as they were
};
ToolNames SortTools(const std::string& tools);

// `variables` ("NAME=value") as they were, with those set that the tracer needs. What was in
// LD_PRELOAD stays behind what is added.
std::vector<std::string> MakeTraced(std::vector<std::string> variables,
                                    const TracedEnvironment& traced);

std::optional<std::string> FindVariable(const std::vector<std::string>& variables,
                                        const std::string& name);

}  // namespace rtl::cli
