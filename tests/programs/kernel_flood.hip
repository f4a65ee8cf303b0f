// SPDX-License-Identifier: MIT
// Thousands of tiny kernels, launched as fast as the host can.
// usage: kernel_flood [kernels]
#include <atomic>
#include <thread>

#include "hip_support.h"

using namespace programs;

__global__ void Empty() {}

__global__ void Count(int* counter) {
  if (threadIdx.x == 0) ++*counter;
}

// HIP 7.2 destroys its tables at exit while the runtime's thread may still use them to process
// completions: after a long backlog, on a busy machine, one run in fifty crashed there. When this
// returns, the thread has reached the last completion.
void WaitForCompletions() {
  static std::atomic<bool> reached{false};
  HIP_CHECK(hipStreamAddCallback(
      nullptr, [](hipStream_t, hipError_t, void*) { reached.store(true); }, nullptr, 0));
  HIP_CHECK(hipDeviceSynchronize());
  while (!reached.load()) std::this_thread::yield();
}

int main(int argc, char** argv) {
  const int kernels = argc > 1 ? std::atoi(argv[1]) : 20'000;
  DeviceArray<int> counter(1);
  counter.Clear();
  for (int i = 0; i < kernels; ++i) {
    if (i % 4 == 0) {
      Launch(Count, dim3(1), dim3(64), counter.data());
    } else {
      Launch(Empty, dim3(1), dim3(64));
    }
  }
  HIP_CHECK(hipDeviceSynchronize());
  Expect(counter.Get()[0] == (kernels + 3) / 4, "every fourth kernel counted once, in order");
  WaitForCompletions();
  return ExitCode();
}
