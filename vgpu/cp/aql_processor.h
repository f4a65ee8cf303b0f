// SPDX-License-Identifier: MIT
// aql_processor.h: the packet processor of user mode AQL queues.
//
// Threads    the queue's thread
// Errors     reported as the firmware does, in the queue's queue_inactive_signal
#pragma once

#include "vgpu/queue/queue.h"

namespace vgpu {

// Processes the queue's packets until it is stopped or halted by an error.
void RunAqlQueue(Queue& queue);

}  // namespace vgpu
