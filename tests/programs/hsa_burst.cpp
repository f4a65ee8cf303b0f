// SPDX-License-Identifier: MIT
// Kernels, each with a signal of its own, pile up behind a barrier and are released at once.
// usage: hsa_burst [kernels [packets of the queue]]
#include <algorithm>
#include <bit>
#include <vector>

#include "hsa_support.h"

using namespace programs;

int main(int argc, char** argv) {
  const int kernels = argc > 1 ? std::atoi(argv[1]) : 1000;
  const Machine machine = StartHsa();
  uint32_t* code = EmptyKernel(machine);
  const uint32_t size = argc > 2 ? static_cast<uint32_t>(std::atoi(argv[2]))
                                 : 2 * std::bit_ceil(static_cast<uint32_t>(kernels));
  hsa_queue_t* queue = CreateQueue(machine, size);
  HSA_CHECK(hsa_amd_profiling_set_profiler_enabled(queue, 1));
  const hsa_signal_t release = CreateSignal(1);
  hsa_barrier_and_packet_t barrier = {};
  barrier.dep_signal[0] = release;
  Submit(queue, barrier, kBarrierHeader);
  std::vector<hsa_signal_t> signals;
  for (int i = 0; i < kernels; ++i) {
    signals.push_back(CreateSignal(1));
    hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
    kernel.completion_signal = signals.back();
    Submit(queue, kernel, kDispatchHeader);
  }
  const bool held = std::ranges::all_of(
      signals, [](hsa_signal_t signal) { return hsa_signal_load_scacquire(signal) == 1; });
  Expect(held, "all kernels are held");
  hsa_signal_store_screlease(release, 0);
  for (const hsa_signal_t signal : signals) WaitForZero(signal);

  bool ordered = true;
  uint64_t last_end = 0;
  for (const hsa_signal_t signal : signals) {
    hsa_amd_profiling_dispatch_time_t times = {};
    HSA_CHECK(hsa_amd_profiling_get_dispatch_time(machine.gpu, signal, &times));
    ordered = ordered && times.start != 0 && times.start >= last_end && times.end >= times.start;
    last_end = times.end;
    HSA_CHECK(hsa_signal_destroy(signal));
  }
  Expect(ordered, "and ended one after the other, each with its times");
  HSA_CHECK(hsa_signal_destroy(release));
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
