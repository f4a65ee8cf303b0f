// SPDX-License-Identifier: MIT
// doorbell_watch.h: lets idle queues sleep without polling their doorbells.
//
// The host rings a doorbell with a plain store, which notifies no one. While every doorbell is
// quiet the host's doorbell pages are write-protected (userfaultfd): the next store blocks its
// thread for the microseconds it takes to lift the protection and to wake the queue at that
// address. Protecting them again at once would make every ring of a busy queue fault. So the pages
// stay open while a queue is awake, and its thread looks at the doorbells of those that sleep:
// each time that the watcher wakes for that, it may take the processor from a thread of the host.
//
// Threads    one watcher thread per process; Park blocks a queue's thread, LookForSleepers is called
//            by it, the rest by any thread
// Memory     never destroyed
// Errors     Park refuses when the kernel offers no trap; the caller then polls
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
