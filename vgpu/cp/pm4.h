// SPDX-License-Identifier: MIT
// pm4.h: PM4 indirect buffers, which reach a compute queue inside AQL vendor packets.
//
// Threads    the queue's thread
#pragma once

#include <cstdint>

#include "vgpu/queue/queue.h"

namespace vgpu {

// Executes `dwords` dwords of PM4 packets. False after a packet that cannot be executed: its name
// is logged, and its page fault is raised; the caller then halts the queue with an error. Also true
// when the queue is to stop: the caller checks queue.stop before it goes on.
[[nodiscard]] bool ExecutePm4(Queue& queue, const uint32_t* ib, uint32_t dwords);

}  // namespace vgpu
