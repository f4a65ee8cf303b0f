// SPDX-License-Identifier: MIT
// avail.h: the counters and configurations of this machine's GPUs: `rocprofv3-avail` and `rocprofv3
// -L`.
//
// Threads    one
// Blocking   reads the driver's topology and definitions; `check` opens AMD's library of counters
// Errors     one line on standard error, exit code 1; 2 for wrong arguments
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::v3 {

// For one GPU by its number among GPUs, or for all: name and counters; with `details` the
// descriptions of the counters. `counters`: only these; empty: all. `file`: more definitions;
// empty: none.
Status DescribeCounters(std::optional<uint32_t> gpu, bool details,
                        const std::vector<std::string>& counters, const std::string& file,
                        std::string* text);

int AvailMain(std::vector<std::string> arguments);

}  // namespace rtl::v3
