// SPDX-License-Identifier: MIT
// sdma_packet.h: the packets of SDMA v4 (gfx9), decoded into plain values.
//
// Threads    pure functions; Memory none; Errors by value, with the reason as text
// Versions   SDMA 4.0 to 4.2 count a linear copy's and a fill's bytes in 22 bits, SDMA 4.4 (gfx90a)
//            in 30; nothing else differs
// Limits     tiled copies, page table updates and register accesses are privileged or need a
//            memory layout that the device does not model: they decode as unknown
#pragma once

#include <cstdint>
#include <variant>

#include "vgpu/cp/compare.h"
#include "vgpu/cp/memory_atomic.h"

namespace vgpu {

// Command words in host memory: a ring, whose positions wrap, or an indirect buffer (mask all
// ones).
struct SdmaWords {
  const uint32_t* base = nullptr;
  uint64_t mask = ~uint64_t{0};  // of a position, in words

  uint32_t At(uint64_t position) const { return base[position & mask]; }
  uint64_t AddressAt(uint64_t position) const {
    return At(position) | static_cast<uint64_t>(At(position + 1)) << 32;
  }
};

struct SdmaNop {};

struct SdmaCopyLinear {
  uint64_t source = 0;
  uint64_t destination = 0;
  uint64_t second_destination = 0;  // of a broadcast copy, else 0
  uint64_t bytes = 0;
};

// One side of a copy of a box out of a bigger box; positions and pitches count elements.
struct SdmaWindow {
  uint64_t address = 0;
  uint64_t x = 0, y = 0, z = 0;
  uint64_t pitch = 0;
  uint64_t slice_pitch = 0;

  uint64_t RowAddress(uint32_t row, uint32_t slice, uint32_t element_bytes) const {
    return address + ((z + slice) * slice_pitch + (y + row) * pitch + x) * element_bytes;
  }
};

struct SdmaCopyWindow {
  SdmaWindow source, destination;
  uint32_t width = 0, height = 0, depth = 0;  // elements, rows, slices
  uint32_t element_bytes = 0;
};

struct SdmaWrite {
  uint64_t destination = 0;
  uint64_t position = 0;  // of the first data word among the command words
  uint32_t words = 0;
};

struct SdmaIndirect {
  uint64_t address = 0;
  uint32_t words = 0;
};

struct SdmaFence {
  uint64_t address = 0;
  uint32_t value = 0;
};

struct SdmaTrap {
  uint32_t event_id = 0;
};

// Waits until the masked memory word compares as the packet says. The form without memory does not
// wait: it only flushes the host data path, which the device does not have.
struct SdmaPoll {
  bool memory = false;
  Compare compare = Compare::kAlways;
  uint64_t address = 0;
  uint32_t reference = 0;
  uint32_t mask = 0;
};

// Skips the following words unless the memory word equals the reference.
struct SdmaConditional {
  uint64_t address = 0;
  uint32_t reference = 0;
  uint32_t words = 0;
};

struct SdmaAtomic {
  AtomicOperation operation = AtomicOperation::kAdd;
  bool wide = false;
  bool until_swapped = false;  // a compare-and-swap that is tried again until it succeeds
  uint64_t address = 0;
  uint64_t operand = 0;
  uint64_t compare = 0;
};

struct SdmaFill {
  uint64_t destination = 0;
  uint64_t bytes = 0;  // a multiple of unit
  uint32_t value = 0;
  uint32_t unit = 0;  // 1, 2 or 4 bytes
};

enum class SdmaTimestampKind : uint8_t { kSetLocal = 0, kGetLocal = 1, kGetGlobal = 2 };

struct SdmaTimestamp {
  SdmaTimestampKind kind = SdmaTimestampKind::kGetGlobal;
  uint64_t operand = 0;  // the value to set, or the address to write to
};

using SdmaPacket =
    std::variant<SdmaNop, SdmaCopyLinear, SdmaCopyWindow, SdmaWrite, SdmaIndirect, SdmaFence,
                 SdmaTrap, SdmaPoll, SdmaConditional, SdmaAtomic, SdmaFill, SdmaTimestamp>;

struct SdmaDecoded {
  enum class Status : uint8_t {
    kOk,
    kIncomplete,  // the packet is longer than what is there
    kInvalid,     // `problem` says why
  };
  Status status = Status::kOk;
  uint64_t words = 0;  // length of the packet; of an incomplete one, the least length
  SdmaPacket packet;
  const char* problem = "";
};

// Decodes the packet at `position`, of which `available` words may be read (at least one).
// `count_bits`: the width of a byte count (GpuModel::sdma_count_bits).
SdmaDecoded DecodeSdmaPacket(const SdmaWords& words, uint64_t position, uint64_t available,
                             int count_bits);

// "FENCE", or "unknown"; from a packet's first word.
const char* SdmaPacketName(uint32_t header);

}  // namespace vgpu
