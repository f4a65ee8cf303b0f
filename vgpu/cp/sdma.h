// SPDX-License-Identifier: MIT
// sdma.h: the system DMA engine: user mode SDMA queues with the packets of gfx9 (SDMA v4).
//
// Threads    the queue's thread
#pragma once

#include "vgpu/queue/queue.h"

namespace vgpu {

// Processes the queue's packets until it is stopped or halted by an error.
void RunSdmaQueue(Queue& queue);

}  // namespace vgpu
