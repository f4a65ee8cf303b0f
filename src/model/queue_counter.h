// SPDX-License-Identifier: MIT
// queue_counter.h: what a queue has seen, where it outlives the process. A counter serves one queue
// after another and goes on counting: the sum of all is what was seen.
//
// Threads    `seen`: whoever holds its queue's doorbell. The rest: whoever makes a queue. All relaxed
//            but Serve
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl {

// Alone on its cache line.
struct alignas(64) QueueCounter {
  std::atomic<uint64_t> seen{0};    // kernel dispatch packets
  std::atomic<uint64_t> before{0};  // of these, those of earlier queues
  std::atomic<uint32_t> queue{0};   // whose it is now (QueueRecord::queue); zero: not known

  // For a queue that has seen nothing yet. Whoever is killed in here leaves nobody's counter.
  void Serve(uint32_t number) {
    queue.store(0, std::memory_order_relaxed);
    before.store(seen.load(std::memory_order_relaxed), std::memory_order_release);
    queue.store(number, std::memory_order_release);
  }
};
static_assert(sizeof(QueueCounter) == 64);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace rtl
