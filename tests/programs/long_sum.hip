// SPDX-License-Identifier: MIT
// One of the two kernels that module_reload loads in turn. It runs long enough to be sampled.
#include <hip/hip_runtime.h>

extern "C" __global__ void long_sum(float* out) {
  float sum = 0;
  for (int i = 0; i < 4096; ++i) {
    sum += out[i & 63];
  }
  out[64 + threadIdx.x] = sum;
}
