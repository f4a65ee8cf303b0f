// SPDX-License-Identifier: MIT
// packet_outcome.h: how the execution of a PM4 or SDMA packet ended, and a field of its words.
#pragma once

#include <cstdint>

namespace vgpu {

struct PacketOutcome {
  enum class Code : uint8_t {
    kDone,
    kStopped,    // the queue is to stop; the packet is not finished
    kPageFault,  // fault_va has no page
    kBadPacket,  // `problem` says why
  };
  Code code = Code::kDone;
  uint64_t fault_va = 0;
  bool fault_is_write = false;
  const char* problem = "";
  uint32_t header = 0;  // PM4: of the packet that went wrong
  uint64_t skip = 0;    // SDMA: words behind the packet that a conditional packet skips

  bool done() const { return code == Code::kDone; }
};

inline PacketOutcome Stopped() { return {.code = PacketOutcome::Code::kStopped}; }

inline PacketOutcome PageFault(uint64_t va, bool write) {
  return {.code = PacketOutcome::Code::kPageFault, .fault_va = va, .fault_is_write = write};
}

inline PacketOutcome BadPacket(const char* problem) {
  return {.code = PacketOutcome::Code::kBadPacket, .problem = problem};
}

constexpr uint32_t Bits(uint32_t word, int low, int count) {
  return word >> low & ((1u << count) - 1);
}

}  // namespace vgpu
