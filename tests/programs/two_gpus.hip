// SPDX-License-Identifier: MIT
// Two GPUs work on their own memory, copy to each other and read each other's memory.
#include "hip_support.h"

using namespace programs;

constexpr int kCount = 1000;

__global__ void Increment(const int* in, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] + 1;
}

int main() {
  int gpus = 0;
  HIP_CHECK(hipGetDeviceCount(&gpus));
  Expect(gpus >= 2, "there are two GPUs");
  if (gpus < 2) return ExitCode();
  std::vector<int> start(kCount);
  for (int i = 0; i < kCount; ++i) start[i] = i;
  const auto counts_from = [](const std::vector<int>& values, int first) {
    return ForAll(kCount, [&](int i) { return values[i] == i + first; });
  };

  const DeviceArray<int> on_first(start);
  Launch(Increment, Blocks(kCount, 256), dim3(256), on_first.data(), on_first.data(), kCount);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipSetDevice(1));
  const DeviceArray<int> on_second(kCount);
  HIP_CHECK(hipMemcpyPeer(on_second.data(), 1, on_first.data(), 0, kCount * sizeof(int)));
  Expect(counts_from(on_second.Get(), 1), "a peer copy");
  Launch(Increment, Blocks(kCount, 256), dim3(256), on_second.data(), on_second.data(), kCount);
  Expect(counts_from(on_second.Get(), 2), "a kernel on the second GPU");

  int can_access = 0;
  HIP_CHECK(hipDeviceCanAccessPeer(&can_access, 1, 0));
  Expect(can_access == 1, "peer access is possible");
  HIP_CHECK(hipDeviceEnablePeerAccess(0, 0));
  Launch(Increment, Blocks(kCount, 256), dim3(256), on_first.data(), on_second.data(), kCount);
  Expect(counts_from(on_second.Get(), 2), "a kernel that reads the other GPU's memory");
  HIP_CHECK(hipSetDevice(0));
  Expect(counts_from(on_first.Get(), 1), "which is unchanged");
  return ExitCode();
}
