// SPDX-License-Identifier: MIT
// Managed memory: host and GPU take turns at the same addresses; advice and prefetches are stored;
// freed addresses are reused for other memory.
#include "hip_support.h"

using namespace programs;

constexpr int kCount = 40000;
constexpr size_t kBytes = kCount * sizeof(int);

__global__ void Increment(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) ++values[i];
}

int* MakeManaged() {
  int* values = nullptr;
  HIP_CHECK(hipMallocManaged(reinterpret_cast<void**>(&values), kBytes));
  for (int i = 0; i < kCount; ++i) values[i] = i;
  return values;
}

void IncrementOnGpu(int* values) {
  Launch(Increment, Blocks(kCount, 256), dim3(256), values, kCount);
  HIP_CHECK(hipDeviceSynchronize());
}

int LastPrefetch(int* values) {
  int device = -3;  // neither a GPU nor one of HIP's words
  HIP_CHECK(hipMemRangeGetAttribute(&device, sizeof(device),
                                    hipMemRangeAttributeLastPrefetchLocation, values, kBytes));
  return device;
}

int main() {
  int* values = MakeManaged();
  for (int turn = 0; turn < 3; ++turn) {
    IncrementOnGpu(values);
    for (int i = 0; i < kCount; ++i) ++values[i];
  }
  Expect(ForAll(kCount, [&](int i) { return values[i] == i + 6; }), "host and GPU took turns");

  HIP_CHECK(hipMemAdvise(values, kBytes, hipMemAdviseSetReadMostly, 0));
  int read_mostly = 0;
  HIP_CHECK(hipMemRangeGetAttribute(&read_mostly, sizeof(read_mostly),
                                    hipMemRangeAttributeReadMostly, values, kBytes));
  Expect(read_mostly == 1, "advice is remembered");

  HIP_CHECK(hipMemPrefetchAsync(values, kBytes, 0, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  Expect(LastPrefetch(values) == 0, "prefetched to the GPU");
  IncrementOnGpu(values);
  HIP_CHECK(hipMemPrefetchAsync(values, kBytes, hipCpuDeviceId, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  Expect(LastPrefetch(values) == hipCpuDeviceId, "prefetched to the host");
  Expect(ForAll(kCount, [&](int i) { return values[i] == i + 7; }), "no prefetch changed a value");

  bool right = true;
  for (int round = 0; round < 20; ++round) {
    HIP_CHECK(hipFree(values));
    DeviceArray<int> other(kCount + round * 4096);
    other.Clear();
    values = MakeManaged();
    IncrementOnGpu(values);
    right = right && ForAll(kCount, [&](int i) { return values[i] == i + 1; });
    right = right && ForAll(kCount, [got = other.Get()](int i) { return got[i] == 0; });
  }
  Expect(right, "freed and made anew twenty times");
  HIP_CHECK(hipFree(values));
  return ExitCode();
}
