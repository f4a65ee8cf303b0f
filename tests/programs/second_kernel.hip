// SPDX-License-Identifier: MIT
// One of the two kernels that hsa_reload loads in turn.
#include <hip/hip_runtime.h>

extern "C" __global__ void second_kernel(int* out) { *out = 2; }
