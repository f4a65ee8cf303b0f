// SPDX-License-Identifier: MIT
#include "vgpu/cp/pm4_packet.h"

namespace vgpu {
namespace {

constexpr uint32_t kFillerType = 2;
constexpr uint32_t kPacketType = 3;
// A NOP with this count is its header alone.
constexpr uint32_t kHeaderOnlyCount = 0x3fff;

struct Row {
  uint32_t opcode;
  const char* name;
  uint32_t shortest_body = 0;  // the fewest words; 0: not executed
};

constexpr Row kRows[] = {
    {0x10, "NOP", 1},
    {0x11, "SET_BASE"},
    {0x12, "CLEAR_STATE"},
    {0x15, "DISPATCH_DIRECT"},
    {0x16, "DISPATCH_INDIRECT"},
    {0x1e, "ATOMIC_MEM", 8},
    {0x20, "SET_PREDICATION"},
    {0x22, "COND_EXEC"},
    {0x23, "PRED_EXEC", 1},
    {0x28, "CONTEXT_CONTROL"},
    {0x37, "WRITE_DATA", 4},
    {0x3c, "WAIT_REG_MEM", 6},
    {0x3f, "INDIRECT_BUFFER", 3},
    {0x40, "COPY_DATA", 5},
    {0x42, "PFP_SYNC_ME"},
    {0x46, "EVENT_WRITE", 1},
    {0x47, "EVENT_WRITE_EOP"},
    {0x49, "RELEASE_MEM", 6},
    {0x50, "DMA_DATA", 6},
    {0x58, "ACQUIRE_MEM", 1},
    {0x59, "REWIND"},
    {0x68, "SET_CONFIG_REG"},
    {0x69, "SET_CONTEXT_REG"},
    {0x76, "SET_SH_REG", 2},
    {0x79, "SET_UCONFIG_REG", 2},
    {0x7a, "SET_UCONFIG_REG_INDEX"},
    {0x9b, "SET_SH_REG_INDEX"},
};

constexpr Row RowOf(uint32_t opcode) {
  for (const Row& row : kRows) {
    if (row.opcode == opcode) return row;
  }
  return {opcode, "unknown"};
}

}  // namespace

const char* Pm4Name(uint32_t opcode) { return RowOf(opcode).name; }

Pm4Packet CutPm4Packet(const uint32_t* words, uint32_t available) {
  Pm4Packet packet;
  const uint32_t header = words[0];
  const uint32_t type = header >> 30;
  if (type == kFillerType) return packet;
  if (type != kPacketType) {
    packet.status = Pm4Packet::Status::kBadType;
    return packet;
  }
  packet.opcode = header >> 8 & 0xff;
  packet.shortest_body = RowOf(packet.opcode).shortest_body;
  const uint32_t count = header >> 16 & 0x3fff;
  const bool nop = packet.opcode == static_cast<uint32_t>(Pm4Opcode::kNop);
  if (nop && count == kHeaderOnlyCount) return packet;

  packet.body = words + 1;
  packet.body_words = count + 1;
  packet.words = 1 + packet.body_words;
  packet.status = packet.words <= available ? Pm4Packet::Status::kPacket : Pm4Packet::Status::kCut;
  return packet;
}

}  // namespace vgpu
