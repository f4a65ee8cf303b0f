// SPDX-License-Identifier: MIT
// aql_packet.h: a 64-byte packet of a queue.
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

namespace rtl {

union AqlPacket {
  uint64_t words[8];  // first, so that {} clears all of it
  uint16_t header;
  hsa_kernel_dispatch_packet_t dispatch;
  hsa_barrier_and_packet_t barrier;
};
static_assert(sizeof(AqlPacket) == 64);

}  // namespace rtl
