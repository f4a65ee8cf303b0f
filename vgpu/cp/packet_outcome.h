// SPDX-License-Identifier: MIT
// packet_outcome.h: how the execution of a PM4 or SDMA packet ended.
#pragma once

#include <cstdint>

#include "vgpu/mem/address_space.h"

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

// Naturally aligned memory of `bytes` bytes; nullptr with *outcome set.
inline uint8_t* Aligned(int gpu, uint64_t va, uint64_t bytes, bool write, PacketOutcome* outcome) {
  if (va % bytes != 0) {
    *outcome = BadPacket("misaligned address");
    return nullptr;
  }
  uint8_t* host = Translate(gpu, va, bytes);
  if (host == nullptr) *outcome = PageFault(va, write);
  return host;
}

}  // namespace vgpu
