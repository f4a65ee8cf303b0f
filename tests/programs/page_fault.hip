// SPDX-License-Identifier: MIT
// A kernel writes to an unmapped address. The runtime reports the fault and ends the program.
#include "hip_support.h"

using namespace programs;

__global__ void Store(int* to) { to[threadIdx.x] = 1; }

int main() {
  std::printf("about to fault\n");
  std::fflush(stdout);
  Launch(Store, dim3(1), dim3(64), reinterpret_cast<int*>(0x123456000));
  const hipError_t status = hipDeviceSynchronize();
  Die("the program went on after a page fault", hipGetErrorString(status));
}
