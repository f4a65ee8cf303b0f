// SPDX-License-Identifier: MIT
// Prints the times from hipEventElapsedTime for kernels that were launched with events of their
// own, in milliseconds.
#include <hip/hip_ext.h>

#include "hip_support.h"

using namespace programs;

__global__ void Nothing() {}

int main() {
  constexpr int kKernels = 50;
  for (int i = 0; i < kKernels; ++i) {
    hipEvent_t start, stop;
    HIP_CHECK(hipEventCreate(&start));
    HIP_CHECK(hipEventCreate(&stop));
    hipExtLaunchKernelGGL(Nothing, dim3(1), dim3(64), 0, nullptr, start, stop, 0);
    HIP_CHECK(hipEventSynchronize(stop));
    float ms = 0;
    HIP_CHECK(hipEventElapsedTime(&ms, start, stop));
    std::printf("%.9g\n", static_cast<double>(ms));
    HIP_CHECK(hipEventDestroy(start));
    HIP_CHECK(hipEventDestroy(stop));
  }
  return 0;
}
