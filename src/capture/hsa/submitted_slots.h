// SPDX-License-Identifier: MIT
// submitted_slots.h: counters of kernel packets that outlive the process, one per queue object. The
// sum of these counters is part of the total of submitted kernels.
//
// Memory     provided by the sink; lives as long as the process
#pragma once

#include <stddef.h>

#include "model/queue_counter.h"

namespace rtl::capture {

struct SubmittedSlots {
  QueueCounter* first = nullptr;
  size_t count = 0;  // queues beyond this number count through the sink
};

}  // namespace rtl::capture
