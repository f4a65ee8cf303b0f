// SPDX-License-Identifier: MIT
// counter_choice.h: translates --pmc for the traced process (RTL_COUNTERS).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/base/options.h"
#include "counters/definitions.h"

namespace rtl::cli {

// Reads the installed definitions, and then those of `file` if it is not empty. An error names the
// file and the line.
Status ReadDefinitions(const std::string& file, counters::Definitions* out);

// If this is not null, counters that no GPU has are left out, and a sentence about each is added.
// If it is null, such a counter is an error.
using LeftOut = std::vector<std::string>;

// `words`: values of --pmc, each of which may have several words (counters/words.h). An error names
// the first word that is invalid or is a counter of no GPU.
Status ChooseCounters(const std::vector<std::string>& words, const counters::Definitions& known,
                      std::string* out, LeftOut* left_out = nullptr);

// Does the same for groups of counters, which are used in turn.
Status ChooseGroups(const std::vector<std::string>& groups, const counters::Definitions& known,
                    std::string* out, LeftOut* left_out = nullptr);

// Does one or the other, as the options of a trace request. `left_out` is used only with
// --keep-going.
Status ChooseRequested(const TraceOptions& options, const counters::Definitions& known,
                       std::string* out, LeftOut* left_out);

// The value of RTL_COUNTER_KERNELS for the traced process. Empty: all kernels are counted. An error
// names the invalid part.
Status ChooseKernels(const CounterKernels& kernels, std::string* out);

}  // namespace rtl::cli
