// SPDX-License-Identifier: MIT
// avail_agents.h: what the driver says of a GPU, for rocprofv3-avail.
//
// Threads    any
// Blocking   reads small files
#pragma once

#include <string>

#include "cli/gpus_here.h"

namespace rtl::v3 {

// One line each, under the names that AMD's rocprofv3-avail has for them. `number`: which GPU of this machine it is.
std::string AgentText(const cli::GpuHere& gpu, uint32_t number);

}  // namespace rtl::v3
