// SPDX-License-Identifier: MIT
// avail.h: lists the counters, the properties and the PC sampling configurations of this machine's
// GPUs, for `rocprofv3-avail` and `rocprofv3 -L`.
//
// Threads    one
// Blocking   reads the driver's topology and definitions; SamplingText calls the driver; `check`
//            opens AMD's library of counters
// Errors     one line on standard error and exit code 1; for wrong arguments exit code 2
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/base/gpus_here.h"

namespace rtl::v3 {

// Lists the counters of one GPU (by its number among GPUs), or of all; with `details` also their
// descriptions. `counters`: only these; empty: all. `file`: a file with more definitions; empty:
// none.
Status DescribeCounters(std::optional<uint32_t> gpu, bool details,
                        const std::vector<std::string>& counters, const std::string& file,
                        std::string* text);

// One line for each property, under the name that AMD's rocprofv3-avail uses. `number`: of the GPU
// on this machine.
std::string AgentText(const cli::GpuHere& gpu, uint32_t number);

// Lists the GPUs with PC sampling, by number; with `details` also their configurations. While a GPU
// is sampled, only the configuration in use is listed.
std::string SamplingText(const std::map<uint32_t, cli::GpuHere>& gpus, bool details);

int AvailMain(std::vector<std::string> arguments);

}  // namespace rtl::v3
