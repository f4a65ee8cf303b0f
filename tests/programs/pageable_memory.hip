// SPDX-License-Identifier: MIT
// With HSA_XNACK=1 a GPU retries page faults: kernels and copies use memory of the program that was
// never registered, as long as it is there.
#include <sys/mman.h>

#include <cstdlib>
#include <memory>

#include "hip_support.h"

using namespace programs;

constexpr int kCount = 40000;
constexpr size_t kBytes = kCount * sizeof(int);

__global__ void Increment(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) ++values[i];
}
__global__ void Sum(const int* values, int count, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(total, values[i]);
}

void IncrementOnGpu(int* values) {
  Launch(Increment, Blocks(kCount, 256), dim3(256), values, kCount);
  HIP_CHECK(hipDeviceSynchronize());
}

bool AllAre(const int* values, int expected) {
  return ForAll(kCount, [=](int i) { return values[i] == expected; });
}

int g_values[kCount];
const int kConstants[64] = {1, 2, 3, 4};

int main() {
  int pageable = 0;
  HIP_CHECK(hipDeviceGetAttribute(&pageable, hipDeviceAttributePageableMemoryAccess, 0));
  Expect(pageable == 1, "the GPU says that it reaches pageable memory");

  IncrementOnGpu(g_values);
  Expect(AllAre(g_values, 1), "static memory");

  bool right = true;
  for (int round = 0; round < 20; ++round) {  // allocated and freed: by mmap, at changing addresses
    std::unique_ptr<int[]> values(new int[kCount + round * 8192]());
    IncrementOnGpu(values.get());
    IncrementOnGpu(values.get());
    right = right && AllAre(values.get(), 2);
  }
  Expect(right, "memory of new, twenty times");

  int total = 0;
  Launch(Sum, dim3(1), dim3(64), kConstants, 64, &total);
  HIP_CHECK(hipDeviceSynchronize());
  Expect(total == 10, "constants are read, the stack is written");

  auto* mapped = static_cast<int*>(
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  IncrementOnGpu(mapped);
  IncrementOnGpu(mapped);
  DeviceArray<int> device(kCount);
  HIP_CHECK(hipMemcpy(device.data(), mapped, kBytes, hipMemcpyHostToDevice));
  IncrementOnGpu(device.data());
  HIP_CHECK(hipMemcpy(mapped, device.data(), kBytes, hipMemcpyDeviceToHost));
  Expect(AllAre(mapped, 3), "mapped memory, and copies of it");
  munmap(mapped, kBytes);

  int* managed = nullptr;
  HIP_CHECK(hipMallocManaged(reinterpret_cast<void**>(&managed), kBytes));
  for (int i = 0; i < kCount; ++i) managed[i] = 6;
  IncrementOnGpu(managed);
  Expect(AllAre(managed, 7), "managed memory");
  HIP_CHECK(hipFree(managed));
  return ExitCode();
}
