// SPDX-License-Identifier: MIT
// queue_identity.h: the numbers and handles by which records and readers of counters know a queue.
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

namespace rtl::capture {

struct QueueIdentity {
  uint32_t queue = 0;  // QueueRecord::queue
  uint32_t agent = 0;
  uint64_t hsa_id = 0;
  hsa_agent_t hsa_agent = {};
};

}  // namespace rtl::capture
