// SPDX-License-Identifier: MIT
// queue_counter.h: the number of packets that a queue has seen, in memory that outlives the
// process. A counter serves one queue after another and goes on counting: the sum of all counters
// is the total.
//
// Threads    `seen`: the holder of the queue's doorbell. The rest: the thread that creates a queue.
//            All accesses are relaxed except Serve
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl {

// Alone on its cache line.
struct alignas(64) QueueCounter {
  std::atomic<uint64_t> seen{0};    // kernel dispatch packets
  std::atomic<uint64_t> before{0};  // the part of `seen` that belongs to earlier queues
  std::atomic<uint32_t> queue{0};   // its queue now (QueueRecord::queue); zero: not known

  // For a queue that has seen nothing yet. A process that is killed in here leaves a counter
  // without a queue.
  void Serve(uint32_t number) {
    queue.store(0, std::memory_order_relaxed);
    before.store(seen.load(std::memory_order_relaxed), std::memory_order_release);
    queue.store(number, std::memory_order_release);
  }
};
static_assert(sizeof(QueueCounter) == 64);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace rtl
