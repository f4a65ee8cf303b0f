// SPDX-License-Identifier: MIT
// aql_packet.h: a 64-byte AQL packet of a queue.
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

namespace rtl {

union AqlPacket {
  uint64_t words[8];  // the first member, so that {} clears the whole union
  uint16_t header;
  hsa_kernel_dispatch_packet_t dispatch;
  hsa_barrier_and_packet_t barrier;
};
static_assert(sizeof(AqlPacket) == 64);

}  // namespace rtl
