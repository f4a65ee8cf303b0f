// SPDX-License-Identifier: MIT
// Many empty kernels, back to back, from several threads into several queues.
// usage: hsa_storm [kernels per queue] [queues] [packets that a queue holds]
#include <thread>
#include <vector>

#include "hsa_support.h"

using namespace programs;

int main(int argc, char** argv) {
  const int kernels = argc > 1 ? std::atoi(argv[1]) : 20'000;
  const int queues = argc > 2 ? std::atoi(argv[2]) : 2;
  const uint32_t slots = argc > 3 ? static_cast<uint32_t>(std::atoi(argv[3])) : 1024;
  const Machine machine = StartHsa();
  uint32_t* kernel = EmptyKernel(machine);
  std::vector<hsa_signal_t> done;
  std::vector<std::thread> threads;
  // One after the other: from ROCm 6.1 on, two threads that make queues at once crash the runtime.
  std::vector<hsa_queue_t*> made;
  for (int i = 0; i < queues; ++i) {
    done.push_back(CreateSignal(kernels));
    made.push_back(CreateQueue(machine, slots));
  }
  for (int i = 0; i < queues; ++i) {
    threads.emplace_back([&, i] {
      hsa_queue_t* const queue = made[i];
      hsa_kernel_dispatch_packet_t packet = Dispatch(kernel, 64, 64);
      packet.completion_signal = done[i];
      for (int k = 0; k < kernels; ++k) Submit(queue, packet, kDispatchHeader);
      WaitForZero(done[i]);
      HSA_CHECK(hsa_queue_destroy(queue));
    });
  }
  for (std::thread& thread : threads) thread.join();
  bool all = true;
  for (const hsa_signal_t signal : done) {
    all = all && hsa_signal_load_scacquire(signal) == 0;
    HSA_CHECK(hsa_signal_destroy(signal));
  }
  Expect(all, "every kernel of every queue completed");
  Free(kernel);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
