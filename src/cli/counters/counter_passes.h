// SPDX-License-Identifier: MIT
// counter_passes.h: the counters that a GPU can count in one run, according to AMD's library.
//
// Threads    any
// Blocking   opens the library
// Errors     the library, or a counter, by name
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/base/gpus_here.h"
#include "counters/definitions.h"

namespace rtl::cli {

// Words of --pmc, in their order, grouped as far as they fit.
using CounterPass = std::vector<std::string>;
Status SplitIntoPasses(const counters::Definitions& known, const GpuHere& gpu,
                       const std::vector<std::string>& words, std::vector<CounterPass>* passes);

// Whether the GPU has the counter and can count it alone. Without AMD's library here: whether a
// counter of that name is defined for it.
Status CanCount(const counters::Definitions& known, const GpuHere& gpu, const std::string& word);

}  // namespace rtl::cli
