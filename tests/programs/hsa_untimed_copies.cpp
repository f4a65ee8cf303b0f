// SPDX-License-Identifier: MIT
// A copy of a program that has not enabled times of copies: it asks for them in vain.
#include "hsa_support.h"

using namespace programs;

int main() {
  constexpr size_t kBytes = 4096;
  const Machine machine = StartHsa();
  auto* host = Allocate<uint8_t>(machine, machine.system, kBytes);
  void* device = nullptr;
  HSA_CHECK(hsa_amd_memory_pool_allocate(machine.vram, kBytes, 0, &device));
  const hsa_signal_t done = CreateSignal(1);
  HSA_CHECK(
      hsa_amd_memory_async_copy(device, machine.gpu, host, machine.cpu, kBytes, 0, nullptr, done));
  WaitForZero(done);
  hsa_amd_profiling_async_copy_time_t times = {1, 2};
  Expect(hsa_amd_profiling_get_async_copy_time(done, &times) == HSA_STATUS_ERROR,
         "the copy has no times");
  Expect(times.start == 1 && times.end == 2, "nothing was written");
  HSA_CHECK(hsa_signal_destroy(done));
  Free(host);
  Free(device);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
