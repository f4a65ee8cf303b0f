// SPDX-License-Identifier: MIT
// sdma_test_packets.h: for tests: builds SDMA packets word by word, from the field layout of the
// hardware's documentation and not from the decoder.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace vgpu::sdma_test {

using Words = std::vector<uint32_t>;

inline uint32_t Low(uint64_t value) { return static_cast<uint32_t>(value); }
inline uint32_t High(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

inline Words Nop(uint32_t payload_words) {
  Words packet(1 + payload_words, 0xdeadbeef);
  packet[0] = payload_words << 16;
  return packet;
}
inline Words CopyLinear(uint64_t to, uint64_t from, uint32_t bytes) {
  return {1, bytes - 1, 0, Low(from), High(from), Low(to), High(to)};
}
inline Words Broadcast(uint64_t to, uint64_t also_to, uint64_t from, uint32_t bytes) {
  return {1u | 1u << 27, bytes - 1,    0, Low(from), High(from), Low(to), High(to),
          Low(also_to),  High(also_to)};
}

struct Window {
  uint64_t va;
  uint32_t x, y, z;
  uint32_t pitch, slice_pitch;
};
struct Box {
  uint32_t width, height, depth;
};
inline Words CopyWindow(const Window& to, const Window& from, Box box, uint32_t element_log2) {
  return {1u | 4u << 8 | element_log2 << 29,
          Low(from.va),
          High(from.va),
          from.x | from.y << 16,
          from.z | (from.pitch - 1) << 13,
          from.slice_pitch - 1,
          Low(to.va),
          High(to.va),
          to.x | to.y << 16,
          to.z | (to.pitch - 1) << 13,
          to.slice_pitch - 1,
          (box.width - 1) | (box.height - 1) << 16,
          box.depth - 1};
}
inline Words Write(uint64_t to, std::initializer_list<uint32_t> data) {
  Words packet = {2, Low(to), High(to), static_cast<uint32_t>(data.size() - 1)};
  packet.insert(packet.end(), data);
  return packet;
}
inline Words Indirect(uint64_t from, uint32_t words) {
  return {4, Low(from), High(from), words, 0, 0};
}
inline Words Fence(uint64_t to, uint32_t value) { return {5, Low(to), High(to), value}; }
inline Words Trap(uint32_t context) { return {6, context}; }
inline Words Poll(uint64_t from, uint32_t function, uint32_t reference, uint32_t mask) {
  return {
      8u | function << 28 | 1u << 31, Low(from), High(from), reference, mask, 4u | 0xfffu << 16};
}
inline Words HdpFlush() { return {8u, 0, 0x80000000, 0, 0, 0}; }
inline Words Conditional(uint64_t from, uint32_t reference, uint32_t words) {
  return {9, Low(from), High(from), reference, words};
}
inline Words Atomic(uint32_t operation, uint64_t at, uint64_t operand, uint64_t compare = 0,
                    bool loop = false) {
  return {10u | (loop ? 1u << 16 : 0u) | operation << 25,
          Low(at),
          High(at),
          Low(operand),
          High(operand),
          Low(compare),
          High(compare),
          0};
}
inline Words Fill(uint64_t to, uint32_t value, uint32_t count, uint32_t size_log2) {
  return {11u | size_log2 << 30, Low(to), High(to), value, count};
}
inline Words Timestamp(uint32_t sub_opcode, uint64_t operand) {
  return {13u | sub_opcode << 8, Low(operand), High(operand)};
}

inline Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

}  // namespace vgpu::sdma_test
