// SPDX-License-Identifier: MIT
// The library of same_names.
#include <hip/hip_runtime.h>

namespace {

__global__ void Write(int* out) { *out = 2; }

}  // namespace

extern "C" void LaunchOther(int* out) {
  Write<<<1, 1>>>(out);
  (void)hipDeviceSynchronize();
}
