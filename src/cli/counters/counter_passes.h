// SPDX-License-Identifier: MIT
// counter_passes.h: splits counters into groups that a GPU can count in one run, according to AMD's
// library.
//
// Threads    any
// Blocking   loads AMD's library
// Errors     name the library or the counter
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/base/gpus_here.h"
#include "counters/definitions.h"

namespace rtl::cli {

// Words of --pmc that fit into one run, in the order in which they were given.
using CounterPass = std::vector<std::string>;
Status SplitIntoPasses(const counters::Definitions& known, const GpuHere& gpu,
                       const std::vector<std::string>& words, std::vector<CounterPass>* passes);

// Whether the GPU has the counter and can count it alone. If AMD's library is not installed:
// whether a counter of this name is defined for the GPU.
Status CanCount(const counters::Definitions& known, const GpuHere& gpu, const std::string& word);

}  // namespace rtl::cli
