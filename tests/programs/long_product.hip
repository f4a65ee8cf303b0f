// SPDX-License-Identifier: MIT
// The other of the two kernels that module_reload loads in turn: with other lines and instructions.
#include <hip/hip_runtime.h>

extern "C" __global__ void long_product(float* out) {
  float product = 1;
  for (int i = 0; i < 4096; ++i) {
    product *= out[i & 63];
    out[64 + threadIdx.x] = product;
  }
}
