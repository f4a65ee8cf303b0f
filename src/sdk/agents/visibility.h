// SPDX-License-Identifier: MIT
// visibility.h: which runtimes show an agent, by ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES,
// CUDA_VISIBLE_DEVICES and GPU_DEVICE_ORDINAL.
//
// Threads    as base/environment.h
#pragma once

#include <rocprofiler-sdk/agent.h>

namespace rtl::sdk {

// `agent`: with its type, logical_node_type_id and uuid.
rocprofiler_agent_runtime_visiblity_t VisibilityOf(const rocprofiler_agent_t& agent);

// The index of the GPU in the list ("0,2", "GPU-e1f…"), which is its number in the libraries on
// top; -1 when it is not in the list. As in the runtime, everything after an invalid entry is
// ignored.
int PlaceInList(const char* list, int number, const rocprofiler_uuid_t& uuid);

}  // namespace rtl::sdk
