// SPDX-License-Identifier: MIT
// The kernels that launch_calls loads as a module: each named after the call that launches it.
#include <hip/hip_runtime.h>

extern "C" __global__ void by_hipModuleLaunchKernel(int* sum) { atomicAdd(sum, 1); }
extern "C" __global__ void by_hipExtModuleLaunchKernel(int* sum) { atomicAdd(sum, 1); }
