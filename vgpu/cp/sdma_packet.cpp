// SPDX-License-Identifier: MIT
#include "vgpu/cp/sdma_packet.h"

#include <utility>

#include "vgpu/cp/packet_outcome.h"
#include "vgpu/wave/bit_operations.h"

namespace vgpu {
namespace {

enum Opcode : uint32_t {
  kNop = 0,
  kCopy = 1,
  kWrite = 2,
  kIndirect = 4,
  kFence = 5,
  kTrap = 6,
  kPollRegMem = 8,
  kCondExe = 9,
  kAtomic = 10,
  kConstFill = 11,
  kTimestamp = 13,
};

constexpr uint32_t kSubCopyLinear = 0;
constexpr uint32_t kSubCopyLinearWindow = 4;

uint32_t OpcodeOf(uint32_t header) { return Bits(header, 0, 8); }
uint32_t SubOpcodeOf(uint32_t header) { return Bits(header, 8, 8); }

// Reads the words of one packet and keeps the verdict on it.
class Decoder {
 public:
  Decoder(const SdmaWords& words, uint64_t position, uint64_t available, int count_bits)
      : words_(words), position_(position), available_(available), count_bits_(count_bits) {}

  SdmaDecoded Run();

 private:
  uint32_t Word(uint64_t index) const { return words_.At(position_ + index); }
  uint64_t Address(uint64_t index) const { return words_.AddressAt(position_ + index); }

  // True when the whole packet is there. Sets its length.
  bool Has(uint64_t length) {
    result_.words = length;
    if (length <= available_) return true;
    result_.status = SdmaDecoded::Status::kIncomplete;
    return false;
  }
  void Invalid(const char* problem) {
    result_.status = SdmaDecoded::Status::kInvalid;
    result_.problem = problem;
  }

  void CopyLinear();
  void CopyWindow();
  void Write();
  void Poll();
  void Conditional();
  void Atomic();
  void Fill();
  void Timestamp();

  const SdmaWords& words_;
  const uint64_t position_;
  const uint64_t available_;
  const int count_bits_;
  SdmaDecoded result_;
};

SdmaDecoded Decoder::Run() {
  const uint32_t header = Word(0);
  const uint32_t opcode = OpcodeOf(header);
  const bool has_sub_opcodes = opcode == kCopy || opcode == kTimestamp;
  if (!has_sub_opcodes && SubOpcodeOf(header) != 0) {
    Invalid("unknown sub-opcode");
    return result_;
  }
  switch (opcode) {
    case kNop:
      if (Has(1 + Bits(header, 16, 14))) result_.packet = SdmaNop{};
      break;
    case kCopy:
      if (SubOpcodeOf(header) == kSubCopyLinear) {
        CopyLinear();
      } else if (SubOpcodeOf(header) == kSubCopyLinearWindow) {
        CopyWindow();
      } else {
        Invalid("unknown sub-opcode");
      }
      break;
    case kWrite:
      Write();
      break;
    case kIndirect:
      if (Has(6)) result_.packet = SdmaIndirect{Address(1), Bits(Word(3), 0, 20)};
      break;
    case kFence:
      if (Has(4)) result_.packet = SdmaFence{Address(1), Word(3)};
      break;
    case kTrap:
      if (Has(2)) result_.packet = SdmaTrap{Bits(Word(1), 0, 28)};
      break;
    case kPollRegMem:
      Poll();
      break;
    case kCondExe:
      Conditional();
      break;
    case kAtomic:
      Atomic();
      break;
    case kConstFill:
      Fill();
      break;
    case kTimestamp:
      Timestamp();
      break;
    default:
      Invalid("unknown opcode");
      break;
  }
  return result_;
}

void Decoder::CopyLinear() {
  const bool broadcast = Bits(Word(0), 27, 1) != 0;
  if (!Has(broadcast ? 9 : 7)) return;
  SdmaCopyLinear copy;
  copy.bytes = uint64_t{Bits(Word(1), 0, count_bits_)} + 1;
  copy.source = Address(3);
  copy.destination = Address(5);
  if (broadcast) copy.second_destination = Address(7);
  result_.packet = copy;
}

void Decoder::CopyWindow() {
  if (!Has(13)) return;
  const auto window = [this](uint64_t first) {
    SdmaWindow side;
    side.address = Address(first);
    side.x = Bits(Word(first + 2), 0, 14);
    side.y = Bits(Word(first + 2), 16, 14);
    side.z = Bits(Word(first + 3), 0, 11);
    side.pitch = uint64_t{Bits(Word(first + 3), 13, 19)} + 1;
    side.slice_pitch = uint64_t{Bits(Word(first + 4), 0, 28)} + 1;
    return side;
  };
  const uint32_t size_log2 = Bits(Word(0), 29, 3);
  if (size_log2 > 4) return Invalid("element size above 16 bytes");
  auto& copy = result_.packet.emplace<SdmaCopyWindow>();
  copy.source = window(1);
  copy.destination = window(6);
  copy.width = Bits(Word(11), 0, 14) + 1;
  copy.height = Bits(Word(11), 16, 14) + 1;
  copy.depth = Bits(Word(12), 0, 11) + 1;
  copy.element_bytes = 1u << size_log2;
}

void Decoder::Write() {
  if (!Has(4)) return;
  const uint32_t count = Bits(Word(3), 0, 20) + 1;
  if (!Has(uint64_t{4} + count)) return;
  result_.packet = SdmaWrite{Address(1), position_ + 4, count};
}

void Decoder::Poll() {
  if (!Has(6)) return;
  SdmaPoll poll;
  poll.memory = Bits(Word(0), 31, 1) != 0;
  const bool flush = Bits(Word(0), 26, 1) != 0;
  poll.compare = static_cast<Compare>(Bits(Word(0), 28, 3));
  poll.address = Address(1);
  poll.reference = Word(3);
  poll.mask = Word(4);
  if (poll.compare == Compare::kReserved) return Invalid("reserved comparison");
  if (!poll.memory && !flush && poll.compare != Compare::kAlways) {
    return Invalid("waits for a register");
  }
  result_.packet = poll;
}

void Decoder::Conditional() {
  if (!Has(5)) return;
  const uint32_t count = Bits(Word(4), 0, 14);
  // The words that the packet may skip must be there too. Otherwise there is nothing to skip yet.
  if (!Has(uint64_t{5} + count)) return;
  result_.words = 5;
  result_.packet = SdmaConditional{Address(1), Word(3), count};
}

void Decoder::Atomic() {
  if (!Has(8)) return;
  SdmaAtomic atomic;
  if (!DecodeMemoryAtomic(Bits(Word(0), 25, 7), &atomic.operation, &atomic.wide)) {
    return Invalid("unknown atomic operation");
  }
  atomic.until_swapped =
      Bits(Word(0), 16, 1) != 0 && atomic.operation == AtomicOperation::kCompareSwap;
  atomic.address = Address(1);
  atomic.operand = Address(3);
  atomic.compare = Address(5);
  result_.packet = atomic;
}

void Decoder::Fill() {
  if (!Has(5)) return;
  const uint32_t size_log2 = Bits(Word(0), 30, 2);
  if (size_log2 > 2) return Invalid("reserved fill size");
  SdmaFill fill;
  fill.unit = 1u << size_log2;
  fill.destination = Address(1);
  fill.value = Word(3);
  // The count is one byte or one unit less than the length: drivers write either.
  fill.bytes = uint64_t{Bits(Word(4), 0, count_bits_) / fill.unit + 1} * fill.unit;
  result_.packet = fill;
}

void Decoder::Timestamp() {
  if (!Has(3)) return;
  const uint32_t kind = SubOpcodeOf(Word(0));
  if (kind > static_cast<uint32_t>(SdmaTimestampKind::kGetGlobal)) {
    return Invalid("unknown sub-opcode");
  }
  result_.packet = SdmaTimestamp{static_cast<SdmaTimestampKind>(kind), Address(1)};
}

}  // namespace

SdmaDecoded DecodeSdmaPacket(const SdmaWords& words, uint64_t position, uint64_t available,
                             int count_bits) {
  return Decoder(words, position, available, count_bits).Run();
}

const char* SdmaPacketName(uint32_t header) {
  static constexpr std::pair<Opcode, const char*> kNames[] = {{kNop, "NOP"},
                                                              {kCopy, "COPY"},
                                                              {kWrite, "WRITE"},
                                                              {kIndirect, "INDIRECT"},
                                                              {kFence, "FENCE"},
                                                              {kTrap, "TRAP"},
                                                              {kPollRegMem, "POLL_REGMEM"},
                                                              {kCondExe, "COND_EXE"},
                                                              {kAtomic, "ATOMIC"},
                                                              {kConstFill, "CONST_FILL"},
                                                              {kTimestamp, "TIMESTAMP"}};
  for (const auto& [opcode, name] : kNames) {
    if (opcode == OpcodeOf(header)) return name;
  }
  return "unknown";
}

}  // namespace vgpu
