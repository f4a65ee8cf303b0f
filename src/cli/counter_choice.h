// SPDX-License-Identifier: MIT
// counter_choice.h: what --pmc names, as the traced process is told of it (RTL_COUNTERS).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::cli {

// Words of --pmc: names of counters, or BLOCK:EVENT, or NAME=BLOCK:EVENT; each may hold several,
// separated by commas. An error names the first that is neither.
Status ChooseCounters(const std::vector<std::string>& words, std::string* out);

}  // namespace rtl::cli
