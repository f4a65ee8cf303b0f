// SPDX-License-Identifier: MIT
// A minimal HIP program: copies both ways, a fill, and two element-wise kernels.
#include <cmath>

#include "hip_support.h"

using namespace programs;

__global__ void VectorAdd(const float* a, const float* b, float* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}

__global__ void Saxpy(float factor, const float* x, float* y, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    y[i] = factor * x[i] + y[i];
  }
}

int main() {
  constexpr int kCount = 100'003;
  std::vector<float> a(kCount), b(kCount);
  for (int i = 0; i < kCount; ++i) {
    a[i] = i * 0.5f;
    b[i] = 1000.0f - i;
  }
  const DeviceArray<float> device_a(a), device_b(b), device_c(kCount);
  Expect(device_a.Get() == a, "a copy to the device and back keeps every bit");

  Launch(VectorAdd, Blocks(kCount, 256), dim3(256), device_a.data(), device_b.data(),
         device_c.data(), kCount);
  const std::vector<float> sum = device_c.Get();
  Expect(ForAll(kCount, [&](int i) { return sum[i] == a[i] + b[i]; }), "vector add");

  Launch(Saxpy, dim3(64), dim3(256), 2.5f, device_a.data(), device_b.data(), kCount);
  const std::vector<float> y = device_b.Get();
  Expect(ForAll(kCount, [&](int i) { return y[i] == fmaf(2.5f, a[i], b[i]); }),
         "saxpy with a grid-stride loop");

  HIP_CHECK(hipMemset(device_c.data(), 0x5a, kCount * sizeof(float)));
  const std::vector<float> filled = device_c.Get();
  const auto* bytes = reinterpret_cast<const unsigned char*>(filled.data());
  Expect(ForAll(kCount * 4, [&](int i) { return bytes[i] == 0x5a; }), "fill with a byte");

  HIP_CHECK(
      hipMemcpy(device_c.data(), device_a.data(), kCount * sizeof(float), hipMemcpyDeviceToDevice));
  Expect(device_c.Get() == a, "copy inside the device");
  return ExitCode();
}
