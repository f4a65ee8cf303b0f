// SPDX-License-Identifier: MIT
// seen_slots.h: counters of kernel packets that outlive the process, one per queue object, each
// alone on its cache line. Their sum is part of all that was seen. A slot goes on counting when its
// queue object is used for a later queue.
//
// Threads    each slot is written by one queue's hook only, relaxed
// Memory     the sink's; lives as long as the process
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

namespace rtl::capture {

struct SeenSlots {
  std::atomic<uint64_t>* first = nullptr;
  size_t stride_bytes = 0;
  size_t count = 0;  // queues beyond this count through the sink
};

}  // namespace rtl::capture
