// SPDX-License-Identifier: MIT
// passes.h: how often the program runs, what each run is to do, and whether its counters fit into one run.
//
// Threads    one
// Errors     one line that names the option, or the file and the place in it
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

// Those of the jobs of the input file, or of each --pmc.
Status MakePasses(const CommandLine& line, std::vector<Pass>* passes);

// An error when a GPU that is known here cannot count all of it in one run: it says in which runs it can. What is not
// known before the program runs, the program's own process finds out.
Status CheckCountersFit(const Settings& settings);

}  // namespace rtl::v3
