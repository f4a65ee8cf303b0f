// SPDX-License-Identifier: MIT
// passes.h: the runs of the program, the options of each, and whether its counters fit into one
// run.
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

// The runs for the jobs of the input file, or for each --pmc.
Status MakePasses(const CommandLine& line, std::vector<Pass>* passes);

// An error when a known GPU here cannot count everything in one run; it lists the runs that could.
// The program's own process finds conflicts that are not known before it runs.
Status CheckCountersFit(const Settings& settings);

}  // namespace rtl::v3
