// SPDX-License-Identifier: MIT
// Copies to the device and back, one after the other, and prints for each its bytes and its times
// as the runtime reports them to the program: nanoseconds of the system's clock.
// usage: hsa_copy_log [copies]
#include <cinttypes>

#include "hsa_support.h"

using namespace programs;

int main(int argc, char** argv) {
  const int copies = argc > 1 ? std::atoi(argv[1]) : 20;
  constexpr size_t kBytes = 1 << 20;
  const Machine machine = StartHsa();
  HSA_CHECK(hsa_amd_profiling_async_copy_enable(true));
  auto* host = Allocate<uint8_t>(machine, machine.system, kBytes);
  void* device = nullptr;
  HSA_CHECK(hsa_amd_memory_pool_allocate(machine.vram, kBytes, 0, &device));
  const hsa_signal_t done = CreateSignal(1);
  for (int i = 0; i < copies; ++i) {
    const bool back = i % 2 == 1;
    const size_t bytes = kBytes >> (i % 8);
    hsa_signal_store_relaxed(done, 1);  // one signal for all: its times are those of the last
    HSA_CHECK(hsa_amd_memory_async_copy(back ? host : device, back ? machine.cpu : machine.gpu,
                                        back ? device : host, back ? machine.gpu : machine.cpu,
                                        bytes, 0, nullptr, done));
    WaitForZero(done);
    hsa_amd_profiling_async_copy_time_t times = {};
    HSA_CHECK(hsa_amd_profiling_get_async_copy_time(done, &times));
    std::printf("%zu %" PRIu64 " %" PRIu64 "\n", bytes, times.start, times.end);
  }
  HSA_CHECK(hsa_signal_destroy(done));
  HSA_CHECK(hsa_amd_memory_pool_free(device));
  Free(host);
  HSA_CHECK(hsa_shut_down());
  return 0;
}
