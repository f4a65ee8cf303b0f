// SPDX-License-Identifier: MIT
// avail_sampling.h: the configurations of PC sampling that GPUs offer, for rocprofv3-avail.
//
// Threads    any
// Blocking   calls of the driver
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "cli/base/gpus_here.h"

namespace rtl::v3 {

// By number of the GPU; with `details`, its configurations, too. GPUs without any are left out.
// While a GPU is sampled, only its configuration in use is listed.
std::string SamplingText(const std::map<uint32_t, cli::GpuHere>& gpus, bool details);

}  // namespace rtl::v3
