// SPDX-License-Identifier: MIT
// Asynchronous copies through the DMA engines: both ways, with a dependency, and with times.
// usage: hsa_copies [bytes [milliseconds for which a copy is seen to wait]]
#include "hsa_support.h"

using namespace programs;

namespace {

constexpr size_t kBytes = (9 << 20) + 13;  // more than one packet, and no multiple of anything

uint8_t Pattern(size_t i) { return static_cast<uint8_t>(i * 7 + (i >> 9)); }

bool HasPattern(const uint8_t* memory, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    if (memory[i] != Pattern(i)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const size_t bytes = argc > 1 ? static_cast<size_t>(std::atoi(argv[1])) : kBytes;
  const uint64_t limit = (argc > 2 ? static_cast<uint64_t>(std::atoi(argv[2])) : 20) * 1'000'000;
  const Machine machine = StartHsa();
  HSA_CHECK(hsa_amd_profiling_async_copy_enable(true));
  auto* host = Allocate<uint8_t>(machine, machine.system, bytes);
  auto* back = Allocate<uint8_t>(machine, machine.system, bytes);
  void* device = nullptr;
  HSA_CHECK(hsa_amd_memory_pool_allocate(machine.vram, bytes, 0, &device));
  for (size_t i = 0; i < bytes; ++i) host[i] = Pattern(i);

  const hsa_signal_t there = CreateSignal(1);
  const hsa_signal_t gate = CreateSignal(1);
  const hsa_signal_t returned = CreateSignal(1);
  HSA_CHECK(
      hsa_amd_memory_async_copy(device, machine.gpu, host, machine.cpu, bytes, 1, &gate, there));
  HSA_CHECK(hsa_amd_memory_async_copy(back, machine.cpu, device, machine.gpu, bytes, 1, &there,
                                      returned));
  Expect(hsa_signal_wait_scacquire(there, HSA_SIGNAL_CONDITION_LT, 1, limit,
                                   HSA_WAIT_STATE_BLOCKED) == 1,
         "a copy waits for its dependency");
  hsa_signal_store_screlease(gate, 0);
  WaitForZero(returned);
  Expect(HasPattern(back, bytes), "all bytes went to the device and came back");

  hsa_amd_profiling_async_copy_time_t first = {};
  hsa_amd_profiling_async_copy_time_t second = {};
  HSA_CHECK(hsa_amd_profiling_get_async_copy_time(there, &first));
  HSA_CHECK(hsa_amd_profiling_get_async_copy_time(returned, &second));
  Expect(first.start > 0 && first.start < first.end, "the copy took time");
  Expect(first.end <= second.start && second.start < second.end, "the second came after the first");

  // 32-bit fill.
  HSA_CHECK(hsa_amd_memory_fill(back, 0xa1b2c3d4, 1024));
  bool filled = true;
  for (size_t i = 0; i < 4096; i += 4) {
    uint32_t word;
    std::memcpy(&word, back + i, 4);
    filled = filled && word == 0xa1b2c3d4;
  }
  Expect(filled && back[4096] == Pattern(4096), "1024 words were filled and no more");

  for (const hsa_signal_t signal : {there, gate, returned}) HSA_CHECK(hsa_signal_destroy(signal));
  Free(host);
  Free(back);
  Free(device);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
