// SPDX-License-Identifier: MIT
// packet.h: the 64-byte packets of a queue. Whatever its type, a packet that can complete a signal
// has the handle in its last eight bytes.
#pragma once

#include <hsa/hsa.h>
#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

union AqlPacket {
  uint64_t words[8];  // first, so that {} clears all of it
  uint16_t header;
  hsa_kernel_dispatch_packet_t dispatch;
  hsa_barrier_and_packet_t barrier;
};
static_assert(sizeof(AqlPacket) == 64);
static_assert(offsetof(hsa_kernel_dispatch_packet_t, completion_signal) == 56);
static_assert(offsetof(hsa_agent_dispatch_packet_t, completion_signal) == 56);
static_assert(offsetof(hsa_barrier_and_packet_t, completion_signal) == 56);
static_assert(offsetof(hsa_barrier_or_packet_t, completion_signal) == 56);

inline constexpr uint16_t kPacketTypeMask = (1u << HSA_PACKET_HEADER_WIDTH_TYPE) - 1;
inline constexpr uint16_t kPacketBarrierBit = 1u << HSA_PACKET_HEADER_BARRIER;

inline bool IsKernelDispatch(const AqlPacket& packet) {
  return (packet.header & kPacketTypeMask) == HSA_PACKET_TYPE_KERNEL_DISPATCH;
}

// On a ring of the application's: the device has taken it meanwhile.
inline bool HasVanished(const AqlPacket& packet) {
  return (packet.header & kPacketTypeMask) == HSA_PACKET_TYPE_INVALID;
}

}  // namespace rtl::capture
