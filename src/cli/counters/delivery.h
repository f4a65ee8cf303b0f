// SPDX-License-Identifier: MIT
// delivery.h: checks, before a program starts, whether requested counters and PC samples are
// available on this machine.
//
//   Delivery delivery(traced, variables);
//   RTL_TRY(delivery.Check({.counters = "SQ_WAVES,VALUInsts"}));
//
// Threads    the main thread
// Blocking   runs a process that starts the runtime, for the first check of each kind
// Errors     one line with what is not available, and why. It is no error if there is a driver and
//            no
//            runtime, because the program may bring a runtime, or if only some of the GPUs have a
//            counter
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
    // The program to run; empty: none. It matters because the program `vgpu` has a GPU of its own.
    std::string program = {};
  };
  // `traced`: the settings of the run. `variables`: those of this process.
  Delivery(TracedEnvironment traced, std::vector<std::string> variables)
      : traced_(std::move(traced)), variables_(std::move(variables)) {}

  Status Check(const Wanted& wanted);

 private:
  Status Probe(const Wanted& wanted);
  Status CheckCounters(const Wanted& wanted) const;

  const TracedEnvironment traced_;
  const std::vector<std::string> variables_;
  // Checks that have been made: with counters, interval of samples.
  std::set<std::pair<bool, uint64_t>> probed_;
  std::vector<GpuHere> gpus_;  // GPUs of the runtime, in its order
};

}  // namespace rtl::cli
