// SPDX-License-Identifier: MIT
// A barrier holds one queue. The program releases it only after it has waited for every kernel of
// another queue.
// usage: hsa_held_queue [kernels of the other queue]
#include "hsa_support.h"

using namespace programs;

namespace {

constexpr int kHeld = 100;

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 500;
  const Machine machine = StartHsa();
  uint32_t* code = EmptyKernel(machine);
  hsa_queue_t* held = CreateQueue(machine, 256);
  hsa_queue_t* free = CreateQueue(machine, 256);
  const hsa_signal_t release = CreateSignal(1);
  const hsa_signal_t held_done = CreateSignal(kHeld);
  hsa_barrier_and_packet_t barrier = {};
  barrier.dep_signal[0] = release;
  Submit(held, barrier, kBarrierHeader);
  hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
  kernel.completion_signal = held_done;
  for (int i = 0; i < kHeld; ++i) Submit(held, kernel, kDispatchHeader);

  for (int i = 0; i < count; ++i) {
    const hsa_signal_t done = CreateSignal(1);
    kernel.completion_signal = done;
    Submit(free, kernel, kDispatchHeader);
    WaitForZero(done);
    HSA_CHECK(hsa_signal_destroy(done));
  }
  Expect(hsa_signal_load_scacquire(held_done) == kHeld,
         "every kernel was waited for, one by one, while the other queue was held");
  hsa_signal_store_screlease(release, 0);
  WaitForZero(held_done);
  Expect(hsa_signal_load_scacquire(held_done) == 0, "and then the other queue's 100 kernels ended");

  HSA_CHECK(hsa_queue_destroy(held));
  HSA_CHECK(hsa_queue_destroy(free));
  HSA_CHECK(hsa_signal_destroy(release));
  HSA_CHECK(hsa_signal_destroy(held_done));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
