// SPDX-License-Identifier: MIT
// seen_slots.h: counters of kernel packets that outlive the process, one per queue object. Their
// sum is part of the total seen.
//
// Memory     the sink's; lives as long as the process
#pragma once

#include <stddef.h>

#include "model/queue_counter.h"

namespace rtl::capture {

struct SeenSlots {
  QueueCounter* first = nullptr;
  size_t count = 0;  // further queues count through the sink
};

}  // namespace rtl::capture
