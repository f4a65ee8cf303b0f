// SPDX-License-Identifier: MIT
// A kernel writes to an unmapped address. The runtime reports the fault and ends the program.
#include "hip_support.h"

using namespace programs;

__global__ void Store(int* to, int* launched) {
  while (*static_cast<volatile int*>(launched) == 0) {}
  to[threadIdx.x] = 1;
}

int main() {
  std::printf("about to fault\n");
  std::fflush(stdout);
  // The launch has returned when the fault happens, so a tracer of API calls has its record.
  int* launched = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&launched), sizeof(int), hipHostMallocCoherent));
  *launched = 0;
  Launch(Store, dim3(1), dim3(64), reinterpret_cast<int*>(0x123456000), launched);
  *launched = 1;
  const hipError_t status = hipDeviceSynchronize();
  Die("the program went on after a page fault", hipGetErrorString(status));
}
