// SPDX-License-Identifier: MIT
// interrupts.h: what the device can raise to the driver. The driver defines these functions
// (kfd/interrupts.cpp), so that queues, waves and packet processors do not include it.
//
// Threads    any; Blocking a short lock; Errors an unknown event id is one line on stderr
#pragma once

#include <cstdint>

namespace vgpu {

struct Queue;

// The interrupt that carries an event id: wakes whoever waits for that event.
void RaiseEvent(uint32_t event_id);

// An error of a queue, by the driver's exception code (1 to 64). A process whose runtime has said that
// it takes exceptions finds the code in the word that it named when it made the queue, and is woken.
// False: it takes none.
bool RaiseException(const Queue& queue, uint32_t code);

// A page fault of a GPU: becomes a memory exception on every memory event of the process.
void RaiseMemoryFault(int gpu, uint64_t va, bool write);

}  // namespace vgpu
