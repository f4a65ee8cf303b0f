// SPDX-License-Identifier: MIT
// passes.h: splits a command line into runs of the program, each with its options, and checks
// whether the counters of a run can be counted together.
//
// Threads    one
// Errors     one line that names the option, or the position in the file
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "rocprofv3/settings.h"

namespace rtl::v3 {

struct Pass {
  Settings settings;
  std::string folder;  // "pass_1", "pmc_1" below the output folder; empty: none
};

// Makes one run for each job of the input file, or for each --pmc.
Status MakePasses(const CommandLine& line, std::vector<Pass>* passes);

// An error if a GPU of this machine cannot count everything in one run. It lists runs that can.
// Conflicts that are not known before the program runs are found in its process.
Status CheckCountersFit(const Settings& settings);

}  // namespace rtl::v3
