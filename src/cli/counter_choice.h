// SPDX-License-Identifier: MIT
// counter_choice.h: what --pmc names, as the traced process is told of it (RTL_COUNTERS).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/options.h"
#include "counters/definitions.h"

namespace rtl::cli {

// The definitions that are installed, then those of the file, if there is one. An error names the file and its
// line.
Status ReadDefinitions(const std::string& file, counters::Definitions* out);

// Words of --pmc (counters/words.h); each may hold several. An error names the first that cannot be read or is
// no counter of any GPU.
Status ChooseCounters(const std::vector<std::string>& words, const counters::Definitions& known,
                      std::string* out);

// As the traced process is told of them (RTL_COUNTER_KERNELS); empty: all. An error names what is wrong.
Status ChooseKernels(const CounterKernels& kernels, std::string* out);

}  // namespace rtl::cli
