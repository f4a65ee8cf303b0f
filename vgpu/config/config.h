// SPDX-License-Identifier: MIT
// config.h: the description of the virtual machine, from VGPU_* environment variables.
//
// Threads    GetConfig from any thread; parsed on first use, never changes, never destroyed
// Errors     a bad value is one line on stderr, and the default is used instead
// See        docs/reference/vgpu.md for the meaning of every option
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace vgpu {

constexpr int kMaxGpus = 8;

struct Config {
  int num_gpus = 1;
  int gfx = 0x906;                           // see gpu_model.h
  uint64_t vram_bytes = uint64_t{16} << 30;  // of each GPU
  bool large_bar = false;
  bool debugger = true;      // the topology reports firmware that supports debuggers
  bool svm = false;          // offer shared virtual memory to runtimes
  bool pc_sampling = false;  // offer PC sampling; ParseConfig then makes kfd_minor at least 17
  uint64_t clock_hz = 25'000'000;
  int64_t clock_ppm = 0;
  uint64_t dispatch_ns = 0;
  bool execute = true;
  int kfd_minor = 17;  // driver interface 1.N; the memory pools of HIP 7 (hipMallocAsync) need 15
  bool doorbell_trap = true;
  int log_level = 1;
  int workers = 0;          // 0: one per core
  std::string jit = "off";  // on, off or auto: translation of kernels to host code
  std::string faults;       // a plan as in config/fault_plan.h; empty: none
  std::string dir;          // empty: $TMPDIR/vgpu-<uid>
  std::string report;       // empty: no report
  std::string completions;  // empty: no log of completions
};

const Config& GetConfig();

// Looks a variable up; nullptr when it is not set.
using EnvironmentLookup = std::function<const char*(const char* name)>;

// The configuration that an environment describes. Every bad value is reported to `complain` as
// one line without a line end, and leaves the default in place.
Config ParseConfig(const EnvironmentLookup& lookup,
                   const std::function<void(const std::string&)>& complain);

}  // namespace vgpu
