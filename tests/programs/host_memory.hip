// SPDX-License-Identifier: MIT
// Kernels that work directly on host memory: allocated for it, registered, and managed.
#include <numeric>

#include "hip_support.h"

using namespace programs;

constexpr int kCount = 5000;

__global__ void Increment(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) ++values[i];
}

void IncrementOnGpu(int* values) {
  Launch(Increment, Blocks(kCount, 256), dim3(256), values, kCount);
  HIP_CHECK(hipDeviceSynchronize());
}

bool CountsFrom(const int* values, int first) {
  return ForAll(kCount, [&](int i) { return values[i] == first + i; });
}

int main() {
  int* pinned = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&pinned), kCount * sizeof(int)));
  std::iota(pinned, pinned + kCount, 0);
  IncrementOnGpu(pinned);
  Expect(CountsFrom(pinned, 1), "pinned host memory");

  std::vector<int> ordinary(kCount);
  std::iota(ordinary.begin(), ordinary.end(), 0);
  HIP_CHECK(hipHostRegister(ordinary.data(), kCount * sizeof(int), hipHostRegisterDefault));
  int* device_view = nullptr;
  HIP_CHECK(hipHostGetDevicePointer(reinterpret_cast<void**>(&device_view), ordinary.data(), 0));
  IncrementOnGpu(device_view);
  Expect(CountsFrom(ordinary.data(), 1), "registered host memory");
  HIP_CHECK(hipHostUnregister(ordinary.data()));

  int* managed = nullptr;
  HIP_CHECK(hipMallocManaged(reinterpret_cast<void**>(&managed), kCount * sizeof(int)));
  std::iota(managed, managed + kCount, 0);
  IncrementOnGpu(managed);
  Expect(CountsFrom(managed, 1), "managed memory");

  // From pinned memory to the device and back without blocking.
  const DeviceArray<int> device(kCount);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  const size_t bytes = kCount * sizeof(int);
  HIP_CHECK(hipMemcpyAsync(device.data(), pinned, bytes, hipMemcpyHostToDevice, stream));
  LaunchOn(stream, Increment, Blocks(kCount, 256), dim3(256), device.data(), kCount);
  HIP_CHECK(hipMemcpyAsync(pinned, device.data(), bytes, hipMemcpyDeviceToHost, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  Expect(CountsFrom(pinned, 2), "asynchronous copies from pinned memory");

  // A window of 100 x 30 ints out of rows of 128, which is a rectangle for the copy engine.
  constexpr size_t kWidth = 100 * sizeof(int), kPitch = 128 * sizeof(int), kRows = 30;
  HIP_CHECK(hipMemset(device.data(), 0, bytes));
  HIP_CHECK(
      hipMemcpy2D(device.data(), kPitch, pinned, kPitch, kWidth, kRows, hipMemcpyHostToDevice));
  const std::vector<int> window = device.Get();
  Expect(ForAll(128 * 30, [&](int i) { return window[i] == (i % 128 < 100 ? pinned[i] : 0); }),
         "a two-dimensional copy");
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipFree(managed));
  HIP_CHECK(hipHostFree(pinned));
  return ExitCode();
}
