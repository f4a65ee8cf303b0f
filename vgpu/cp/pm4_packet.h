// SPDX-License-Identifier: MIT
// pm4_packet.h: how PM4 command words are cut into packets, and what the packets are called.
//
//     type 3:  [31:30] = 3  [29:16] body words - 1  [15:8] opcode     then the body
//     type 2:  [31:30] = 2                                            one word of filling
//
// Threads    pure functions; Memory none
#pragma once

#include <cstdint>

namespace vgpu {

// The opcodes that the command processor executes.
enum class Pm4Opcode : uint8_t {
  kNop = 0x10,
  kAtomicMem = 0x1e,
  kWriteData = 0x37,
  kWaitRegMem = 0x3c,
  kPredExec = 0x23,
  kIndirectBuffer = 0x3f,
  kCopyData = 0x40,
  kEventWrite = 0x46,
  kReleaseMem = 0x49,
  kDmaData = 0x50,
  kAcquireMem = 0x58,
  kSetShReg = 0x76,
  kSetUconfigReg = 0x79,
};

// The name of a packet, such as "WRITE_DATA", also of one that is not executed; otherwise
// "unknown".
const char* Pm4Name(uint32_t opcode);

struct Pm4Packet {
  enum class Status : uint8_t {
    kFiller,  // nothing to execute
    kPacket,
    kBadType,  // type 0 or 1
    kCut,      // part of the body is missing
  };
  Status status = Status::kFiller;
  uint32_t words = 1;  // header and body
  uint32_t opcode = 0;
  const uint32_t* body = nullptr;
  uint32_t body_words = 0;
  uint32_t shortest_body = 0;  // the fewest words that it may have; 0: it is not executed
};

// Cuts off the packet at `words`, of which `available` may be read (at least one).
Pm4Packet CutPm4Packet(const uint32_t* words, uint32_t available);

}  // namespace vgpu
