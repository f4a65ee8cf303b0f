// SPDX-License-Identifier: MIT
// avail.h: what can be collected on the GPUs of this machine: `rocprofv3-avail` and `rocprofv3 -L`.
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

// Of one GPU by its number among GPUs, or of all: name and counters; with `details` what each counter is.
// `counters`: these alone; empty: all. `file`: definitions of more; empty: none.
Status DescribeCounters(std::optional<uint32_t> gpu, bool details,
                        const std::vector<std::string>& counters, const std::string& file,
                        std::string* text);

int AvailMain(std::vector<std::string> arguments);

}  // namespace rtl::v3
