// SPDX-License-Identifier: MIT
// delivery.h: whether requested counters and PC samples can be had here, before a program starts.
//
//   Delivery delivery(traced, variables);
//   RTL_TRY(delivery.Check({.counters = "SQ_WAVES,VALUInsts"}));
//
// Threads    the main thread
// Blocking   a process that starts the runtime, for the first check of each kind
// Errors     one line: what cannot be had, and why. Where there is a driver and no runtime is
//            found, the program may bring one: no error. The same for a counter that only some of
//            the GPUs have
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/base/gpus_here.h"
#include "cli/base/traced_environment.h"

namespace rtl::cli {

class Delivery {
 public:
  struct Wanted {
    std::string counters = {};  // RTL_COUNTERS
    std::string counter_file = {};
    uint64_t pc_sampling_us = 0;
    std::string program = {};  // `vgpu` brings a GPU of its own; empty: none will run
  };
  // `traced`: of the run. `variables`: of this process.
  Delivery(TracedEnvironment traced, std::vector<std::string> variables)
      : traced_(std::move(traced)), variables_(std::move(variables)) {}

  Status Check(const Wanted& wanted);

 private:
  Status Probe(const Wanted& wanted);
  Status CheckCounters(const Wanted& wanted) const;

  const TracedEnvironment traced_;
  const std::vector<std::string> variables_;
  std::set<std::pair<bool, uint64_t>> probed_;  // counters, interval of samples
  std::vector<GpuHere> gpus_;                   // of the runtime, in its order
};

}  // namespace rtl::cli
