// SPDX-License-Identifier: MIT
#include "vgpu/cp/pm4_engine.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstring>

#include "vgpu/clock/clock.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/config/log.h"
#include "vgpu/counters/perfmon.h"
#include "vgpu/cp/compare.h"
#include "vgpu/cp/memory_atomic.h"
#include "vgpu/cp/pm4_packet.h"
#include "vgpu/mem/address_space.h"
#include "vgpu/queue/interrupts.h"
#include "vgpu/wave/bit_operations.h"

namespace vgpu {
namespace {

constexpr uint32_t kShRegisters = 0x2c00;
constexpr uint32_t kUconfigRegisters = 0xc000;
constexpr int kMaxDepth = 4;

// Where a packet reads from or writes to.
constexpr uint32_t kSelectRegister = 0;
constexpr uint32_t kSelectMemorySync = 1;
constexpr uint32_t kSelectCache = 2;
constexpr uint32_t kSelectCounter = 4;
constexpr uint32_t kSelectMemory = 5;
constexpr uint32_t kSelectImmediate = 5;  // as a source
constexpr uint32_t kSelectAtomicResult = 6;
constexpr uint32_t kSelectGpuClock = 9;

uint64_t Wide(uint32_t low, uint32_t high) { return low | static_cast<uint64_t>(high) << 32; }

uint64_t AddressOf(const uint32_t* words) { return Wide(words[0], words[1] & 0xffff); }

bool IsMemory(uint32_t select) {
  return select == kSelectMemorySync || select == kSelectCache || select == kSelectMemory;
}

// Operations of WAIT_REG_MEM.
constexpr uint32_t kWait = 0;
constexpr uint32_t kWriteWaitWrite = 1;
constexpr uint32_t kPreemptableWait = 3;

// Registers of the bus interface, at the same offsets in all gfx9 GPUs that are modelled.
constexpr uint32_t kRegHdpFlushRequest = 0xe26;
constexpr uint32_t kRegHdpFlushDone = 0xe27;

// Whether a select of DMA_DATA means memory: 0 goes past the cache, 3 goes through the cache.
bool IsDmaMemory(uint32_t select) { return select == 0 || select == 3; }

}  // namespace

Pm4Engine::Pm4Engine(Queue& queue, EventRaiser raise_event, uint32_t chiplets)
    : queue_(queue),
      raise_event_(raise_event),
      chiplets_((1u << (chiplets != 0 ? chiplets : GetGpuModel().chiplets)) - 1) {}

PacketOutcome Pm4Engine::Execute(const uint32_t* words, uint32_t count) {
  const uint32_t caller = chiplets_;
  const PacketOutcome outcome = ExecuteAll(words, count);
  chiplets_ = caller;
  return outcome;
}

PacketOutcome Pm4Engine::ExecuteAll(const uint32_t* words, uint32_t count) {
  const uint32_t caller = chiplets_;
  uint32_t chosen_until = 0;  // the end of the packets that PRED_EXEC has chosen chiplets for
  for (uint32_t position = 0; position < count;) {
    if (queue_.stop.load(std::memory_order_relaxed)) return Stopped();
    if (position >= chosen_until) chiplets_ = caller;
    const Pm4Packet packet = CutPm4Packet(words + position, count - position);
    if (packet.status == Pm4Packet::Status::kPacket &&
        static_cast<Pm4Opcode>(packet.opcode) == Pm4Opcode::kPredExec) {
      chosen_until = position + packet.words + Bits(packet.body[0], 0, 14);
      chiplets_ = caller & Bits(packet.body[0], 24, 8);
      position = chiplets_ != 0 ? position + packet.words : chosen_until;
      continue;
    }
    PacketOutcome outcome;
    switch (packet.status) {
      case Pm4Packet::Status::kFiller:
        break;
      case Pm4Packet::Status::kPacket:
        outcome = Run(packet);
        break;
      case Pm4Packet::Status::kBadType:
        outcome = BadPacket("no type 3 packet");
        break;
      case Pm4Packet::Status::kCut:
        outcome = BadPacket("the buffer ends inside the packet");
        break;
    }
    if (!outcome.done()) {
      // An inner buffer has already named its bad packet.
      if (outcome.header == 0) outcome.header = words[position];
      return outcome;
    }
    position += packet.words;
  }
  return {};
}

PacketOutcome Pm4Engine::Run(const Pm4Packet& packet) {
  // Checked first, because each counted kernel takes a hundred packets.
  if (LogEnabled(LogLevel::kPacket)) [[unlikely]] {
    Log(LogLevel::kPacket, "queue %u: PM4 %s, %u words", queue_.id, Pm4Name(packet.opcode),
        packet.words);
  }
  if (packet.body_words < packet.shortest_body) return BadPacket("too short");
  switch (static_cast<Pm4Opcode>(packet.opcode)) {
    case Pm4Opcode::kNop:
    case Pm4Opcode::kEventWrite:  // earlier work has ended, and nothing is cached
    case Pm4Opcode::kAcquireMem:
    case Pm4Opcode::kPredExec:  // ExecuteAll has applied it
      return {};
    case Pm4Opcode::kIndirectBuffer:
      return IndirectBuffer(packet.body);
    case Pm4Opcode::kSetShReg:
      return SetRegisters(kShRegisters, packet);
    case Pm4Opcode::kSetUconfigReg:
      return SetRegisters(kUconfigRegisters, packet);
    case Pm4Opcode::kWriteData:
      return WriteData(packet);
    case Pm4Opcode::kCopyData:
      return CopyData(packet.body);
    case Pm4Opcode::kReleaseMem:
      return ReleaseMem(packet);
    case Pm4Opcode::kWaitRegMem:
      return WaitRegMem(packet.body);
    case Pm4Opcode::kAtomicMem:
      return AtomicMem(packet.body);
    case Pm4Opcode::kDmaData:
      return DmaData(packet.body);
  }
  return BadPacket("not modelled");
}

PacketOutcome Pm4Engine::IndirectBuffer(const uint32_t* body) {
  if (depth_ == kMaxDepth) return BadPacket("too many nested buffers");
  const uint64_t va = AddressOf(body) & ~uint64_t{3};
  const uint32_t words = Bits(body[2], 0, 20);
  if (words == 0) return {};
  const uint8_t* memory = Translate(queue_.gpu, va, uint64_t{4} * words);
  if (memory == nullptr) return PageFault(va, false);
  ++depth_;
  const PacketOutcome outcome = Execute(reinterpret_cast<const uint32_t*>(memory), words);
  --depth_;
  return outcome;
}

PacketOutcome Pm4Engine::SetRegisters(uint32_t base, const Pm4Packet& packet) {
  const uint32_t first = base + Bits(packet.body[0], 0, 16);
  for (uint32_t i = 1; i < packet.body_words; ++i) WriteRegister(first + i - 1, packet.body[i]);
  return {};
}

PacketOutcome Pm4Engine::WriteData(const Pm4Packet& packet) {
  const uint32_t select = Bits(packet.body[0], 8, 4);
  const bool same_address = Bits(packet.body[0], 16, 1) != 0;
  const uint32_t* data = packet.body + 3;
  const uint32_t count = packet.body_words - 3;
  if (select != kSelectRegister && !IsMemory(select)) return BadPacket("unknown destination");
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t offset = same_address ? 0 : i;
    if (select == kSelectRegister) {
      WriteRegister(packet.body[1] + offset, data[i]);
      continue;
    }
    const PacketOutcome outcome = Store(AddressOf(packet.body + 1) + 4 * offset, data[i], false);
    if (!outcome.done()) return outcome;
  }
  return {};
}

PacketOutcome Pm4Engine::CopyData(const uint32_t* body) {
  const uint32_t from = Bits(body[0], 0, 4);
  const uint32_t to = Bits(body[0], 8, 4);
  const bool wide = Bits(body[0], 16, 1) != 0;
  uint64_t value = 0;
  switch (from) {
    case kSelectRegister:
    case kSelectCounter:
      value = ReadRegister(body[1]);
      if (wide) value |= static_cast<uint64_t>(ReadRegister(body[1] + 1)) << 32;
      break;
    case kSelectMemorySync:
    case kSelectCache: {
      const PacketOutcome outcome = Load(AddressOf(body + 1), wide, &value);
      if (!outcome.done()) return outcome;
      break;
    }
    case kSelectImmediate:
      value = Wide(body[1], body[2]);
      break;
    case kSelectAtomicResult:
      value = atomic_result_;
      break;
    case kSelectGpuClock:
      value = GpuTicks();
      break;
    default:
      return BadPacket("unknown source");
  }
  if (IsMemory(to)) return Store(AddressOf(body + 3), value, wide);
  if (to != kSelectRegister && to != kSelectCounter) return BadPacket("unknown destination");
  WriteRegister(body[3], static_cast<uint32_t>(value));
  if (wide) WriteRegister(body[3] + 1, static_cast<uint32_t>(value >> 32));
  return {};
}

PacketOutcome Pm4Engine::ReleaseMem(const Pm4Packet& packet) {
  const uint32_t* body = packet.body;
  const uint32_t data = Bits(body[1], 29, 3);
  const uint32_t interrupt = Bits(body[1], 24, 3);
  const uint64_t va = AddressOf(body + 2);
  PacketOutcome outcome;
  switch (data) {
    case 0:
      break;
    case 1:
      outcome = Store(va, body[4], false);
      break;
    case 2:
      outcome = Store(va, Wide(body[4], body[5]), true);
      break;
    case 3:
      outcome = Store(va, GpuTicks(), true);
      break;
    default:
      return BadPacket("unknown data to release");
  }
  const uint32_t context = packet.body_words > 6 ? Bits(body[6], 0, 28) : 0;
  if (outcome.done() && interrupt != 0 && context != 0) raise_event_(context);
  return outcome;
}

PacketOutcome Pm4Engine::WaitRegMem(const uint32_t* body) {
  const auto compare = static_cast<Compare>(Bits(body[0], 0, 3));
  const bool memory = Bits(body[0], 4, 2) != 0;
  const uint32_t operation = Bits(body[0], 6, 2);
  const uint32_t reference = body[3];
  const uint32_t mask = body[4];
  if (compare == Compare::kReserved) return BadPacket("reserved comparison");
  // A request: the first register gets the reference, and the second one answers.
  const bool request = operation == kWriteWaitWrite && !memory;
  if (operation != kWait && operation != kPreemptableWait && !request) {
    return BadPacket("unknown operation of a wait");
  }
  if (!memory) {
    if (request) WriteRegister(body[1], reference);
    if (Holds(compare, ReadRegister(body[request ? 2 : 1]) & mask, reference)) return {};
    return BadPacket("waits for a register that nothing changes");
  }
  PacketOutcome outcome;
  const bool satisfied = PollUntil(queue_, [&] {
    uint64_t value = 0;
    outcome = Load(AddressOf(body + 1) & ~uint64_t{3}, false, &value);
    if (!outcome.done()) return true;
    return Holds(compare, static_cast<uint32_t>(value) & mask, reference);
  });
  if (!satisfied) return Stopped();
  return outcome;
}

PacketOutcome Pm4Engine::AtomicMem(const uint32_t* body) {
  AtomicOperation operation;
  bool wide = false;
  if (!DecodeMemoryAtomic(Bits(body[0], 0, 7), &operation, &wide)) {
    return BadPacket("unknown atomic operation");
  }
  const bool until_swapped = Bits(body[0], 8, 4) == 1 && operation == AtomicOperation::kCompareSwap;
  PacketOutcome outcome;
  const bool finished = PollUntil(queue_, [&] {
    uint8_t* to = Aligned(queue_.gpu, AddressOf(body + 1), wide ? 8 : 4, true, &outcome);
    if (to == nullptr) return true;
    const bool swapped = ApplyMemoryAtomic(operation, wide, to, Wide(body[3], body[4]),
                                           Wide(body[5], body[6]), &atomic_result_);
    return swapped || !until_swapped;
  });
  if (!finished) return Stopped();
  return outcome;
}

// From memory to memory: other sources and destinations are not modelled.
PacketOutcome Pm4Engine::DmaData(const uint32_t* body) const {
  const uint32_t to = Bits(body[0], 20, 2);
  const uint32_t from = Bits(body[0], 29, 2);
  if (!IsDmaMemory(to) || !IsDmaMemory(from)) return BadPacket("copies other than memory");
  const uint64_t source = AddressOf(body + 1);
  const uint64_t target = AddressOf(body + 3);
  const uint64_t bytes = Bits(body[5], 0, 26);
  for (uint64_t done = 0; done < bytes;) {
    size_t source_run = 0;
    size_t target_run = 0;
    const uint8_t* in = TranslateRun(queue_.gpu, source + done, &source_run);
    if (in == nullptr) return PageFault(source + done, false);
    uint8_t* out = TranslateRun(queue_.gpu, target + done, &target_run);
    if (out == nullptr) return PageFault(target + done, true);
    const uint64_t part = std::min({bytes - done, uint64_t{source_run}, uint64_t{target_run}});
    std::memcpy(out, in, part);
    done += part;
  }
  return {};
}

void Pm4Engine::WriteRegister(uint32_t number, uint32_t value) {
  for (uint32_t left = chiplets_; left != 0; left &= left - 1) {
    const auto chiplet = static_cast<uint32_t>(std::countr_zero(left));
    RegistersOf(queue_.gpu, chiplet).Write(number, value);
    // There is no data path of the host (HDP) to flush: the flush is done at once.
    if (number == kRegHdpFlushRequest) {
      RegistersOf(queue_.gpu, chiplet).Write(kRegHdpFlushDone, value);
    }
    if (number == kRegCpPerfmonControl) PerfmonOf(queue_.gpu, chiplet).Control(value, HostRawNs());
  }
}

uint32_t Pm4Engine::ReadRegister(uint32_t number) const {
  const auto chiplet = static_cast<uint32_t>(std::countr_zero(chiplets_));
  if (const auto counted = PerfmonOf(queue_.gpu, chiplet).Read(number)) return *counted;
  return RegistersOf(queue_.gpu, chiplet).Read(number);
}

PacketOutcome Pm4Engine::Store(uint64_t va, uint64_t value, bool wide) const {
  if (wide && va % 8 == 4) {  // two words, the high one last
    const PacketOutcome low = Store(va, value & 0xffffffff, false);
    return low.done() ? Store(va + 4, value >> 32, false) : low;
  }
  PacketOutcome outcome;
  uint8_t* to = Aligned(queue_.gpu, va, wide ? 8 : 4, true, &outcome);
  if (to == nullptr) return outcome;
  // Publishes the queue's earlier writes to a reader that acquires the value.
  if (wide) {
    __atomic_store_n(reinterpret_cast<uint64_t*>(to), value, __ATOMIC_RELEASE);
  } else {
    __atomic_store_n(reinterpret_cast<uint32_t*>(to), static_cast<uint32_t>(value),
                     __ATOMIC_RELEASE);
  }
  return outcome;
}

PacketOutcome Pm4Engine::Load(uint64_t va, bool wide, uint64_t* value) const {
  if (wide && va % 8 == 4) {
    uint64_t low = 0;
    uint64_t high = 0;
    PacketOutcome outcome = Load(va, false, &low);
    if (outcome.done()) outcome = Load(va + 4, false, &high);
    *value = low | high << 32;
    return outcome;
  }
  PacketOutcome outcome;
  const uint8_t* from = Aligned(queue_.gpu, va, wide ? 8 : 4, false, &outcome);
  if (from == nullptr) return outcome;
  // Pairs with the releasing store of the host or of another queue.
  if (wide) {
    *value = __atomic_load_n(reinterpret_cast<const uint64_t*>(from), __ATOMIC_ACQUIRE);
  } else {
    *value = __atomic_load_n(reinterpret_cast<const uint32_t*>(from), __ATOMIC_ACQUIRE);
  }
  return outcome;
}

bool ExecutePm4(Queue& queue, const uint32_t* ib, uint32_t dwords) {
  Pm4Engine engine(queue);
  const PacketOutcome outcome = engine.Execute(ib, dwords);
  const uint32_t opcode = outcome.header >> 8 & 0xff;
  switch (outcome.code) {
    case PacketOutcome::Code::kDone:
    case PacketOutcome::Code::kStopped:
      return true;
    case PacketOutcome::Code::kPageFault:
      Log(LogLevel::kError, "queue %u: page fault at 0x%" PRIx64 " (%s) in PM4 packet %s", queue.id,
          outcome.fault_va, outcome.fault_is_write ? "write" : "read", Pm4Name(opcode));
      RaiseMemoryFault(queue.gpu, outcome.fault_va, outcome.fault_is_write);
      return false;
    case PacketOutcome::Code::kBadPacket:
      Log(LogLevel::kError, "queue %u: PM4 packet %s (%08x): %s", queue.id, Pm4Name(opcode),
          outcome.header, outcome.problem);
      return false;
  }
  return false;
}

}  // namespace vgpu
