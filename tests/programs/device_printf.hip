// SPDX-License-Identifier: MIT
// Text printed by a kernel reaches the program's output.
#include "hip_support.h"

using namespace programs;

__global__ void Hello(int block) {
  if (threadIdx.x < 2) {
    printf("hello from lane %d of launch %d: %s %.2f\n", static_cast<int>(threadIdx.x), block,
           "text", threadIdx.x * 0.5);
  }
}

int main() {
  for (int launch = 0; launch < 2; ++launch) {
    Launch(Hello, dim3(1), dim3(64), launch);
    HIP_CHECK(hipDeviceSynchronize());
  }
  return ExitCode();
}
