// SPDX-License-Identifier: MIT
// counter_packets.h: the packets that are put before and after a counted kernel.
#pragma once

#include "capture/hsa/packet.h"

namespace rtl::capture {

inline constexpr uint16_t kCounterFences =
    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE |
    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE;

// A barrier packet that waits for the signal `wait` and then completes `completes`. A handle of
// zero means no signal.
inline AqlPacket BarrierPacket(hsa_signal_t wait, hsa_signal_t completes) {
  AqlPacket packet = {};
  packet.barrier.header =
      HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE | kPacketBarrierBit | kCounterFences;
  packet.barrier.dep_signal[0] = wait;
  packet.barrier.completion_signal = completes;
  return packet;
}

// A packet that AMD's library made.
inline AqlPacket CommandPacket(AqlPacket packet, hsa_signal_t completes) {
  packet.header = HSA_PACKET_TYPE_VENDOR_SPECIFIC << HSA_PACKET_HEADER_TYPE | kPacketBarrierBit |
                  kCounterFences;
  packet.barrier.completion_signal = completes;
  return packet;
}

}  // namespace rtl::capture
