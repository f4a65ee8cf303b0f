// SPDX-License-Identifier: MIT
// packet.h: the 64-byte packets of a queue. Every type of packet that can complete a signal has the
// signal's handle in its last eight bytes.
#pragma once

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stddef.h>
#include <stdint.h>

#include "device/aql_packet.h"

namespace rtl::capture {

using rtl::AqlPacket;
static_assert(offsetof(hsa_kernel_dispatch_packet_t, completion_signal) == 56);
static_assert(offsetof(hsa_agent_dispatch_packet_t, completion_signal) == 56);
static_assert(offsetof(hsa_barrier_and_packet_t, completion_signal) == 56);
static_assert(offsetof(hsa_barrier_or_packet_t, completion_signal) == 56);

inline constexpr uint16_t kPacketTypeMask = (1u << HSA_PACKET_HEADER_WIDTH_TYPE) - 1;
inline constexpr uint16_t kPacketBarrierBit = 1u << HSA_PACKET_HEADER_BARRIER;

// Atomic, because on a ring the device also writes the header, when it has taken the packet.
template <typename Packet>
uint16_t LoadHeader(const Packet& packet) {
  return __atomic_load_n(&packet.header, __ATOMIC_RELAXED);
}

// A kernel with a grid given in clusters of workgroups (gfx1250). All other fields are as in a
// dispatch packet.
struct ExtendedDispatch {
  uint16_t header;  // type: vendor specific
  uint8_t format;   // must be kFormat
  static constexpr uint8_t kFormat = 3;
  uint8_t setup;
  uint16_t workgroup[3];
  uint16_t reserved;
  uint32_t clusters_x;
  uint16_t clusters_y, clusters_z;
  uint8_t cluster_size[3];  // in workgroups
  uint8_t hint;
};
static_assert(sizeof(ExtendedDispatch) ==
              offsetof(hsa_kernel_dispatch_packet_t, private_segment_size));

inline bool IsExtendedDispatch(const AqlPacket& packet) {
  return (LoadHeader(packet) & kPacketTypeMask) == HSA_PACKET_TYPE_VENDOR_SPECIFIC &&
         (packet.dispatch.setup & 0xff) == ExtendedDispatch::kFormat;
}

inline bool IsKernelDispatch(const AqlPacket& packet) {
  return (LoadHeader(packet) & kPacketTypeMask) == HSA_PACKET_TYPE_KERNEL_DISPATCH ||
         IsExtendedDispatch(packet);
}

inline bool IsBarrierValue(const AqlPacket& packet) {
  return (LoadHeader(packet) & kPacketTypeMask) == HSA_PACKET_TYPE_VENDOR_SPECIFIC &&
         (packet.dispatch.setup & 0xff) == HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
}

inline bool IsBarrier(const AqlPacket& packet) {
  const unsigned type = LoadHeader(packet) & kPacketTypeMask;
  return type == HSA_PACKET_TYPE_BARRIER_AND || type == HSA_PACKET_TYPE_BARRIER_OR ||
         IsBarrierValue(packet);
}

// True if the device has already taken the packet from the application's ring.
inline bool IsTaken(const AqlPacket& packet) {
  return (LoadHeader(packet) & kPacketTypeMask) == HSA_PACKET_TYPE_INVALID;
}

}  // namespace rtl::capture
