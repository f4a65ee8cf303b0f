// SPDX-License-Identifier: MIT
// counter_choice.h: translates --pmc for the traced process (RTL_COUNTERS).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/base/options.h"
#include "counters/definitions.h"

namespace rtl::cli {

// Reads the installed definitions, then those of the file, if there is one. An error names the file
// and its line.
Status ReadDefinitions(const std::string& file, counters::Definitions* out);

// Sentences about counters of no GPU, which are left out. Null: such a counter is an error.
using LeftOut = std::vector<std::string>;

// Words of --pmc (counters/words.h); each may hold several. An error names the first word that is
// invalid or a counter of no GPU.
Status ChooseCounters(const std::vector<std::string>& words, const counters::Definitions& known,
                      std::string* out, LeftOut* left_out = nullptr);

// The same of groups that take turns.
Status ChooseGroups(const std::vector<std::string>& groups, const counters::Definitions& known,
                    std::string* out, LeftOut* left_out = nullptr);

// For the traced process (RTL_COUNTER_KERNELS); empty: all. An error names the invalid part.
Status ChooseKernels(const CounterKernels& kernels, std::string* out);

}  // namespace rtl::cli
