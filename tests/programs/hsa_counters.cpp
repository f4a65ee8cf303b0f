// SPDX-License-Identifier: MIT
// Performance counters around a kernel, programmed by PM4 packets inside AQL vendor packets, as
// every profiler does, but without a profiler.
#include <vector>

#include "hsa_support.h"

using namespace programs;

namespace {

using Words = std::vector<uint32_t>;

constexpr uint32_t kEngines = 4;

// Registers, as dword offsets, and the values that are written to them.
constexpr uint32_t kGfxIndex = 0xc200;
constexpr uint32_t kPerfmonControl = 0xd808;
constexpr uint32_t kSqSelect0 = 0xd9c0;
constexpr uint32_t kSqLow0 = 0xd1c0;
constexpr uint32_t kBroadcast = 1u << 31 | 1u << 30 | 1u << 29;
constexpr uint32_t kReset = 0, kStart = 1, kStop = 2, kSample = 1u << 10;
// Events of the SQ block.
constexpr uint32_t kWaves = 4, kInstsValu = 26;

void Append(Words* to, uint32_t opcode, std::initializer_list<uint32_t> body) {
  to->push_back(3u << 30 | static_cast<uint32_t>(body.size() - 1) << 16 | opcode << 8);
  to->insert(to->end(), body);
}
void SetRegister(Words* to, uint32_t number, uint32_t value) {
  Append(to, 0x79, {number - 0xc000, value});
}
// Two counter registers to memory.
void CopyCounter(Words* to, uint32_t number, const uint64_t* memory) {
  const auto va = reinterpret_cast<uint64_t>(memory);
  Append(to, 0x40,
         {4u | 5u << 8 | 1u << 16, number, 0, static_cast<uint32_t>(va),
          static_cast<uint32_t>(va >> 32)});
}

// An AQL vendor packet with an INDIRECT_BUFFER packet inside.
struct Pm4Packet {
  uint16_t header, vendor_header;
  uint32_t commands[4];
  uint32_t remaining_dwords;
  uint32_t reserved[8];
  hsa_signal_t completion_signal;
};

// Returns the buffer, which is to be freed when the GPU has read it.
uint32_t* SubmitPm4(const Machine& machine, hsa_queue_t* queue, const Words& words,
                    hsa_signal_t done) {
  auto* buffer = Allocate<uint32_t>(machine, machine.system, words.size());
  std::memcpy(buffer, words.data(), words.size() * 4);
  const auto va = reinterpret_cast<uint64_t>(buffer);
  Pm4Packet packet = {};
  packet.vendor_header = 1;  // PM4 inside
  packet.commands[0] = 3u << 30 | 2u << 16 | 0x3fu << 8;
  packet.commands[1] = static_cast<uint32_t>(va);
  packet.commands[2] = static_cast<uint32_t>(va >> 32);
  packet.commands[3] = static_cast<uint32_t>(words.size()) | 1u << 23;
  packet.remaining_dwords = 10;
  packet.completion_signal = done;
  Submit(
      queue, packet,
      HSA_PACKET_TYPE_VENDOR_SPECIFIC << HSA_PACKET_HEADER_TYPE | 1 << HSA_PACKET_HEADER_BARRIER);
  return buffer;
}

// Ten v_mov_b32 v0, v0, then s_endpgm.
uint32_t* KernelOfTenMoves(const Machine& machine) {
  uint32_t* code = EmptyKernel(machine);
  for (int i = 64; i < 74; ++i) code[i] = 0x7e000300;
  code[74] = 0xbf810000;
  return code;
}

}  // namespace

int main() {
  constexpr uint32_t kWavesLaunched = 24;
  const Machine machine = StartHsa();
  hsa_queue_t* queue = CreateQueue(machine, 64);
  auto* results = Allocate<uint64_t>(machine, machine.system, 2 * kEngines);

  Words start;
  SetRegister(&start, kGfxIndex, kBroadcast);
  SetRegister(&start, kPerfmonControl, kReset);
  SetRegister(&start, kSqSelect0, kWaves);
  SetRegister(&start, kSqSelect0 + 1, kInstsValu);
  SetRegister(&start, kPerfmonControl, kStart);
  uint32_t* start_buffer = SubmitPm4(machine, queue, start, {});

  uint32_t* code = KernelOfTenMoves(machine);
  hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64 * kWavesLaunched, 64);
  Submit(queue, kernel, kDispatchHeader | 1 << HSA_PACKET_HEADER_BARRIER);

  Words stop;
  SetRegister(&stop, kPerfmonControl, kStop | kSample);
  for (uint32_t engine = 0; engine < kEngines; ++engine) {
    SetRegister(&stop, kGfxIndex, engine << 16);
    CopyCounter(&stop, kSqLow0, &results[2 * engine]);
    CopyCounter(&stop, kSqLow0 + 2, &results[2 * engine + 1]);
  }
  const hsa_signal_t done = CreateSignal(1);
  uint32_t* stop_buffer = SubmitPm4(machine, queue, stop, done);
  WaitForZero(done);

  uint64_t waves = 0, instructions = 0;
  for (uint32_t engine = 0; engine < kEngines; ++engine) {
    waves += results[2 * engine];
    instructions += results[2 * engine + 1];
  }
  Expect(waves == kWavesLaunched, "24 waves were counted");
  Expect(instructions == 10 * kWavesLaunched, "and 10 vector instructions of each");
  HSA_CHECK(hsa_signal_destroy(done));
  HSA_CHECK(hsa_queue_destroy(queue));
  for (uint32_t* buffer : {code, start_buffer, stop_buffer}) Free(buffer);
  Free(results);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
