// SPDX-License-Identifier: MIT
// The library that hsa_unload loads and unloads: the only code that knows the HSA runtime.
#include "hsa_support.h"

using namespace programs;

// One life of the runtime with ten kernels in it. Returns the number of kernels that did not end
// correctly.
extern "C" int RunPart() {
  constexpr int kKernels = 10;
  const Machine machine = StartHsa();
  hsa_queue_t* const queue = CreateQueue(machine, 64);
  uint32_t* const code = EmptyKernel(machine);
  hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
  kernel.completion_signal = CreateSignal(kKernels);
  for (int i = 0; i < kKernels; ++i) Submit(queue, kernel, kDispatchHeader);
  WaitForZero(kernel.completion_signal);
  const auto left = static_cast<int>(hsa_signal_load_scacquire(kernel.completion_signal));
  HSA_CHECK(hsa_signal_destroy(kernel.completion_signal));
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return left;
}
