// SPDX-License-Identifier: MIT
// doorbell_watch.h: lets idle queues sleep without polling their doorbells.
//
// The host rings a doorbell with a plain store, which notifies no one. While every doorbell is
// quiet the host's doorbell pages are write-protected (userfaultfd): the next store blocks its
// thread for the microseconds it takes to lift the protection and to wake the queue at that
// address. Protecting them again at once would make every ring of a busy queue fault. So the pages
// stay open while a queue is awake, and its thread looks at the doorbells of the queues that sleep.
// The watcher could look, too, but may take the processor from a host thread whenever it wakes.
//
// Threads    one watcher thread per process; a queue's thread calls ParkQueue, which blocks it, and
//            LookForSleepers; any thread calls the rest
// Memory     never destroyed
// Errors     ParkQueue refuses when the kernel offers no trap or no thread; the caller then polls
#pragma once

#include <cstddef>
#include <cstdint>

#include "vgpu/queue/queue.h"

namespace vgpu {

// The host mapped a doorbell page at `address`; `device_side` is the device's view of its start.
void WatchDoorbells(void* address, size_t bytes, uint64_t* device_side);

// Blocks until the doorbell may hold another value than `seen`, or until WakeParked. False at once
// when doorbells cannot be watched.
[[nodiscard]] bool ParkQueue(Queue& queue, uint64_t seen);

// For the thread of a queue that is awake, every few microseconds: wakes queues whose doorbell has
// rung.
void LookForSleepers();

// Makes a parked queue return from ParkQueue.
void WakeParked(Queue& queue);

// A forked child has neither the pages nor the watcher. To be called when no other thread exists.
void ForgetDoorbellWatch();

}  // namespace vgpu
