// SPDX-License-Identifier: MIT
// sampling_driver.h: what the kernel driver offers of PC sampling: tools ask before there is a runtime.
//
// Threads    any
// Blocking   two driver calls
// Errors     statuses of the interface
#pragma once

#include <rocprofiler-sdk/pc_sampling.h>
#include <stdint.h>

namespace rtl::sdk {

inline constexpr uint32_t kMostSamplingConfigurations = 16;

// Of the GPU with this number of the driver's. When it is being sampled, that configuration alone.
rocprofiler_status_t QuerySampling(uint32_t gpu_id, rocprofiler_pc_sampling_configuration_t* out,
                                   uint32_t* count);

}  // namespace rtl::sdk
