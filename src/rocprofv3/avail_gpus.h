// SPDX-License-Identifier: MIT
// avail_gpus.h: what rocprofv3-avail prints about GPUs besides counters: the properties that the
// driver reports, and the configurations of PC sampling.
//
// Threads    any
// Blocking   reads small files; SamplingText calls the driver
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "cli/base/gpus_here.h"

namespace rtl::v3 {

// One line for each property, under the name that AMD's rocprofv3-avail uses. `number`: of the GPU
// on this machine.
std::string AgentText(const cli::GpuHere& gpu, uint32_t number);

// Lists the GPUs with PC sampling, by number; with `details` also their configurations. While a GPU
// is sampled, only the configuration in use is listed.
std::string SamplingText(const std::map<uint32_t, cli::GpuHere>& gpus, bool details);

}  // namespace rtl::v3
