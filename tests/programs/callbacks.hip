// SPDX-License-Identifier: MIT
// Host functions in a stream run between the kernels around them.
#include <atomic>

#include "hip_support.h"

using namespace programs;

__global__ void Store(int* to, int value) { *to = value; }

constexpr int kCallbacks = 8;

struct Log {
  const int* device_value = nullptr;  // in host memory that the GPU writes
  std::atomic<int> count{0};
  int seen[kCallbacks] = {};
};

void OnStream(hipStream_t, hipError_t status, void* data) {
  if (status != hipSuccess) return;
  auto& log = *static_cast<Log*>(data);
  const int index = log.count.load(std::memory_order_relaxed);
  log.seen[index] = *static_cast<const volatile int*>(log.device_value);
  log.count.store(index + 1, std::memory_order_release);  // pairs with the load in main
}

int main() {
  int* value = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&value), sizeof(int), hipHostMallocCoherent));
  *value = 0;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  Log log;
  log.device_value = value;
  for (int i = 1; i <= kCallbacks; ++i) {
    LaunchOn(stream, Store, dim3(1), dim3(1), value, i);
    HIP_CHECK(hipStreamAddCallback(stream, OnStream, &log, 0));
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  Expect(log.count.load(std::memory_order_acquire) == kCallbacks, "eight stream callbacks ran");
  Expect(ForAll(kCallbacks, [&](int i) { return log.seen[i] == i + 1; }),
         "each of them saw the kernel before it and none after");
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipHostFree(value));
  return ExitCode();
}
