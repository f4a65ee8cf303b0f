// SPDX-License-Identifier: MIT
#include "vgpu/cp/sdma_engine.h"

#include <algorithm>
#include <cstring>

#include "vgpu/clock/clock.h"
#include "vgpu/mem/address_space.h"

namespace vgpu {
namespace {

// A queue that is to stop copies at most this much more.
constexpr uint64_t kChunkBytes = uint64_t{1} << 20;

template <typename T>
void FillUnits(uint8_t* to, uint64_t bytes, T value) {
  std::fill_n(reinterpret_cast<T*>(to), bytes / sizeof(T), value);
}

void FillRun(uint8_t* to, uint64_t bytes, uint32_t value, uint32_t unit) {
  switch (unit) {
    case 1:
      std::memset(to, static_cast<int>(value & 0xff), bytes);
      break;
    case 2:
      FillUnits(to, bytes, static_cast<uint16_t>(value));
      break;
    default:
      FillUnits(to, bytes, value);
      break;
  }
}

}  // namespace

PacketOutcome SdmaEngine::Execute(const SdmaPacket& packet, const SdmaWords& words) {
  ForgetProcessMemory(queue_.gpu);
  return std::visit([&](const auto& typed) { return Run(typed, words); }, packet);
}

PacketOutcome SdmaEngine::Run(const SdmaNop&, const SdmaWords&) { return {}; }

PacketOutcome SdmaEngine::Run(const SdmaCopyLinear& packet, const SdmaWords&) {
  const PacketOutcome outcome = CopyBytes(packet.destination, packet.source, packet.bytes);
  if (!outcome.done() || packet.second_destination == 0) return outcome;
  return CopyBytes(packet.second_destination, packet.source, packet.bytes);
}

PacketOutcome SdmaEngine::Run(const SdmaCopyWindow& packet, const SdmaWords&) {
  const uint64_t row_bytes = uint64_t{packet.width} * packet.element_bytes;
  for (uint32_t slice = 0; slice < packet.depth; ++slice) {
    for (uint32_t row = 0; row < packet.height; ++row) {
      const PacketOutcome outcome =
          CopyBytes(packet.destination.RowAddress(row, slice, packet.element_bytes),
                    packet.source.RowAddress(row, slice, packet.element_bytes), row_bytes);
      if (!outcome.done()) return outcome;
    }
  }
  return {};
}

PacketOutcome SdmaEngine::Run(const SdmaWrite& packet, const SdmaWords& words) {
  for (uint32_t i = 0; i < packet.words; ++i) {
    PacketOutcome outcome;
    uint8_t* to = Aligned(queue_.gpu, packet.destination + uint64_t{4} * i, 4, true, &outcome);
    if (to == nullptr) return outcome;
    // Relaxed: the fence or atomic packet that follows publishes the data.
    __atomic_store_n(reinterpret_cast<uint32_t*>(to), words.At(packet.position + i),
                     __ATOMIC_RELAXED);
  }
  return {};
}

PacketOutcome SdmaEngine::Run(const SdmaIndirect& packet, const SdmaWords&) {
  if (in_indirect_) return BadPacket("indirect buffer inside an indirect buffer");
  if (packet.words == 0) return {};
  PacketOutcome outcome;
  const uint8_t* memory = Translate(queue_.gpu, packet.address, uint64_t{4} * packet.words);
  if (memory == nullptr) return PageFault(packet.address, false);
  if (packet.address % 4 != 0) return BadPacket("misaligned indirect buffer");

  SdmaWords buffer;
  buffer.base = reinterpret_cast<const uint32_t*>(memory);
  in_indirect_ = true;
  for (uint64_t position = 0; position < packet.words && outcome.done();) {
    if (stopping()) {
      outcome = Stopped();
      break;
    }
    const SdmaDecoded decoded =
        DecodeSdmaPacket(buffer, position, packet.words - position, count_bits_);
    if (decoded.status == SdmaDecoded::Status::kIncomplete) {
      outcome = BadPacket("indirect buffer ends inside a packet");
    } else if (decoded.status == SdmaDecoded::Status::kInvalid) {
      outcome = BadPacket(decoded.problem);
    } else {
      outcome = Execute(decoded.packet, buffer);
      position += decoded.words + outcome.skip;
    }
  }
  in_indirect_ = false;
  outcome.skip = 0;
  return outcome;
}

PacketOutcome SdmaEngine::Run(const SdmaFence& packet, const SdmaWords&) {
  PacketOutcome outcome;
  uint8_t* to = Aligned(queue_.gpu, packet.address, 4, true, &outcome);
  if (to == nullptr) return outcome;
  // Publishes the queue's earlier writes to a reader that acquires the fence value.
  __atomic_store_n(reinterpret_cast<uint32_t*>(to), packet.value, __ATOMIC_RELEASE);
  return outcome;
}

PacketOutcome SdmaEngine::Run(const SdmaTrap& packet, const SdmaWords&) {
  raise_event_(packet.event_id);
  return {};
}

PacketOutcome SdmaEngine::Run(const SdmaPoll& packet, const SdmaWords&) {
  if (!packet.memory) return {};
  PacketOutcome outcome;
  const bool satisfied = PollUntil(queue_, [&] {
    // Looked up every time: the memory may be unmapped while the queue waits.
    const uint8_t* from = Aligned(queue_.gpu, packet.address, 4, false, &outcome);
    if (from == nullptr) return true;
    // Pairs with the releasing store of the host or of another queue.
    const uint32_t value =
        __atomic_load_n(reinterpret_cast<const uint32_t*>(from), __ATOMIC_ACQUIRE);
    return Holds(packet.compare, value & packet.mask, packet.reference);
  });
  if (!satisfied) return Stopped();
  return outcome;
}

PacketOutcome SdmaEngine::Run(const SdmaConditional& packet, const SdmaWords&) {
  PacketOutcome outcome;
  const uint8_t* from = Aligned(queue_.gpu, packet.address, 4, false, &outcome);
  if (from == nullptr) return outcome;
  const uint32_t value = __atomic_load_n(reinterpret_cast<const uint32_t*>(from), __ATOMIC_ACQUIRE);
  if (value != packet.reference) outcome.skip = packet.words;
  return outcome;
}

PacketOutcome SdmaEngine::Run(const SdmaAtomic& packet, const SdmaWords&) {
  PacketOutcome outcome;
  const auto attempt = [&] {
    uint8_t* to = Aligned(queue_.gpu, packet.address, packet.wide ? 8 : 4, true, &outcome);
    if (to == nullptr) return true;
    const bool swapped =
        ApplyMemoryAtomic(packet.operation, packet.wide, to, packet.operand, packet.compare);
    return swapped || !packet.until_swapped;
  };
  if (!PollUntil(queue_, attempt)) return Stopped();
  return outcome;
}

PacketOutcome SdmaEngine::Run(const SdmaFill& packet, const SdmaWords&) {
  if (packet.destination % packet.unit != 0) return BadPacket("misaligned fill");
  uint64_t va = packet.destination;
  uint64_t left = packet.bytes;
  while (left != 0) {
    if (stopping()) return Stopped();
    size_t run = 0;
    uint8_t* to = TranslateRun(queue_.gpu, va, &run);
    if (to == nullptr) return PageFault(va, true);
    const uint64_t whole = std::min<uint64_t>({run, left, kChunkBytes}) & ~uint64_t{3};
    // Mappings consist of pages, so only the last bytes of a fill are no multiple of four.
    const uint64_t bytes = whole != 0 ? whole : std::min<uint64_t>(run, left);
    FillRun(to, bytes, packet.value, packet.unit);
    va += bytes;
    left -= bytes;
  }
  return {};
}

PacketOutcome SdmaEngine::Run(const SdmaTimestamp& packet, const SdmaWords&) {
  const uint64_t now = GpuTicks();
  if (packet.kind == SdmaTimestampKind::kSetLocal) {
    local_time_offset_ = packet.operand - now;
    return {};
  }
  const bool local = packet.kind == SdmaTimestampKind::kGetLocal;
  PacketOutcome outcome;
  uint8_t* to = Aligned(queue_.gpu, packet.operand, 8, true, &outcome);
  if (to == nullptr) return outcome;
  // Relaxed: the completion signal that follows publishes it.
  __atomic_store_n(reinterpret_cast<uint64_t*>(to), local ? now + local_time_offset_ : now,
                   __ATOMIC_RELAXED);
  return outcome;
}

PacketOutcome SdmaEngine::CopyBytes(uint64_t destination, uint64_t source, uint64_t bytes) {
  while (bytes != 0) {
    if (stopping()) return Stopped();
    size_t readable = 0;
    const uint8_t* from = TranslateRun(queue_.gpu, source, &readable);
    if (from == nullptr) return PageFault(source, false);
    size_t writable = 0;
    uint8_t* to = TranslateRun(queue_.gpu, destination, &writable);
    if (to == nullptr) return PageFault(destination, true);
    const uint64_t run = std::min<uint64_t>(readable, writable);
    const uint64_t chunk = std::min({run, bytes, kChunkBytes});
    std::memmove(to, from, chunk);
    source += chunk;
    destination += chunk;
    bytes -= chunk;
  }
  return {};
}

}  // namespace vgpu
