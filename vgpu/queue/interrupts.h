// SPDX-License-Identifier: MIT
// interrupts.h: the interrupts of the device to the driver. The driver defines these functions
// (kfd/interrupts.cpp), so that queues, waves and packet processors do not include it.
//
// Threads    any; Blocking a short lock; Errors an unknown event id is one line on stderr
#pragma once

#include <cstdint>

namespace vgpu {

struct Queue;

// The interrupt that carries an event id: wakes the threads that wait for that event.
void RaiseEvent(uint32_t event_id);

// An error of a queue, by the driver's exception code (1 to 64). If the process's runtime takes
// exceptions, the code goes into the word that the runtime named when it created the queue, and the
// runtime is woken. False: the runtime takes none.
bool RaiseException(const Queue& queue, uint32_t code);

// A page fault of a GPU: becomes a memory exception on every memory event of the process.
void RaiseMemoryFault(int gpu, uint64_t va, bool write);

}  // namespace vgpu
