// SPDX-License-Identifier: MIT
// avail_agents.h: the driver's properties of a GPU, for rocprofv3-avail.
//
// Threads    any
// Blocking   reads small files
#pragma once

#include <string>

#include "cli/base/gpus_here.h"

namespace rtl::v3 {

// One line each, under the names of AMD's rocprofv3-avail. `number`: of the GPU on this machine.
std::string AgentText(const cli::GpuHere& gpu, uint32_t number);

}  // namespace rtl::v3
