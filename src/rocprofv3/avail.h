// SPDX-License-Identifier: MIT
// avail.h: lists the counters and the PC sampling configurations of this machine's GPUs, for
// `rocprofv3-avail` and `rocprofv3 -L`.
//
// Threads    one
// Blocking   reads the driver's topology and definitions; `check` opens AMD's library of counters
// Errors     one line on standard error and exit code 1; for wrong arguments exit code 2
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::v3 {

// Lists the counters of one GPU (by its number among GPUs), or of all; with `details` also their
// descriptions. `counters`: only these; empty: all. `file`: a file with more definitions; empty:
// none.
Status DescribeCounters(std::optional<uint32_t> gpu, bool details,
                        const std::vector<std::string>& counters, const std::string& file,
                        std::string* text);

int AvailMain(std::vector<std::string> arguments);

}  // namespace rtl::v3
