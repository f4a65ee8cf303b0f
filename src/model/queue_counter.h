// SPDX-License-Identifier: MIT
// queue_counter.h: counts the kernel packets of a queue, in memory that outlives the process. A
// counter serves one queue after another and is never reset, so the sum of all counters is the
// total.
//
// Threads    `seen`: the holder of the queue's doorbell. All other members: the thread that creates
//            a queue. All accesses are relaxed except Serve
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl {

// Each counter has a cache line of its own.
struct alignas(64) QueueCounter {
  std::atomic<uint64_t> submitted{0};  // kernel dispatch packets
  std::atomic<uint64_t> before{0};     // the part of `seen` that counts packets of earlier queues
  std::atomic<uint32_t> queue{0};      // the present queue (QueueRecord::queue); zero: not known

  // Called for a queue that has no packets yet. If the process is killed in this function, the
  // counter has no queue.
  void Serve(uint32_t number) {
    queue.store(0, std::memory_order_relaxed);
    before.store(submitted.load(std::memory_order_relaxed), std::memory_order_release);
    queue.store(number, std::memory_order_release);
  }
};
static_assert(sizeof(QueueCounter) == 64);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace rtl
