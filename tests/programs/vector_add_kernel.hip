// SPDX-License-Identifier: MIT
// The kernel that hsa_code_object loads. It needs no hidden arguments: the block size is a
// constant.
#include <hip/hip_runtime.h>

extern "C" __global__ void vector_add(const float* a, const float* b, float* sum, int count) {
  const int i = static_cast<int>(blockIdx.x) * 256 + static_cast<int>(threadIdx.x);
  if (i < count) sum[i] = a[i] + b[i];
}
