// SPDX-License-Identifier: MIT
// Prints the times in the completion signal of each kernel: ticks of the GPU's own counter.
// usage: hsa_signal_log [kernels]
#include <hsa/amd_hsa_signal.h>

#include <cinttypes>

#include "hsa_support.h"

using namespace programs;

int main(int argc, char** argv) {
  const int kernels = argc > 1 ? std::atoi(argv[1]) : 100;
  const Machine machine = StartHsa();
  uint32_t* code = EmptyKernel(machine);
  hsa_queue_t* queue = CreateQueue(machine, 64);
  HSA_CHECK(hsa_amd_profiling_set_profiler_enabled(queue, 1));
  for (int i = 0; i < kernels; ++i) {
    const hsa_signal_t done = CreateSignal(1);
    hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
    kernel.completion_signal = done;
    Submit(queue, kernel, kDispatchHeader);
    WaitForZero(done);
    const auto* signal = reinterpret_cast<const amd_signal_t*>(done.handle);
    std::printf("%" PRIu64 " %" PRIu64 "\n", signal->start_ts, signal->end_ts);
    HSA_CHECK(hsa_signal_destroy(done));
  }
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return 0;
}
