// SPDX-License-Identifier: MIT
// avail_gpus.h: what rocprofv3-avail prints about GPUs besides their counters: the driver's
// properties, and configurations of PC sampling.
//
// Threads    any
// Blocking   reads small files; SamplingText calls the driver
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "cli/base/gpus_here.h"

namespace rtl::v3 {

// One line each, under the names of AMD's rocprofv3-avail. `number`: of the GPU on this machine.
std::string AgentText(const cli::GpuHere& gpu, uint32_t number);

// By number of the GPU; with `details`, its configurations, too. GPUs without any are left out.
// While a GPU is sampled, only its configuration in use is listed.
std::string SamplingText(const std::map<uint32_t, cli::GpuHere>& gpus, bool details);

}  // namespace rtl::v3
