// SPDX-License-Identifier: MIT
// pm4.h: PM4 indirect buffers, which reach a compute queue inside AQL vendor packets.
//
// Threads    the queue's thread
#pragma once

#include <cstdint>

#include "vgpu/queue/queue.h"

namespace vgpu {

// Executes `dwords` dwords of PM4 packets. False after an unknown packet, which is already logged
// by name; the caller then reports an error of the queue.
[[nodiscard]] bool ExecutePm4(Queue& queue, const uint32_t* ib, uint32_t dwords);

}  // namespace vgpu
