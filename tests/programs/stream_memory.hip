// SPDX-License-Identifier: MIT
// Memory whose lifetime is ordered by a stream (hipMallocAsync), and kernels on registered host
// memory whose registrations share a page, begin within one, or change.
// Usage: stream_memory [trim]    with "trim" the pool is emptied before its stream is destroyed
#include <numeric>
#include <string>

#include "hip_support.h"

using namespace programs;

constexpr int kValues = 5000;

__global__ void AddOne(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) ++values[i];
}

bool AllAre(const int* values, int count, int expected) {
  return ForAll(count, [&](int i) { return values[i] == expected; });
}

int* DeviceView(int* host) {
  void* view = nullptr;
  HIP_CHECK(hipHostGetDevicePointer(&view, host, 0));
  return static_cast<int*>(view);
}

void AddOneByView(int* host, int count) {
  Launch(AddOne, Blocks(count, 256), dim3(256), DeviceView(host), count);
  HIP_CHECK(hipDeviceSynchronize());
}

void ExpectRegistered() {
  bool right = true;
  for (int round = 0; round < 40; ++round) {
    std::vector<int> values(kValues + 37 * round);
    const int count = static_cast<int>(values.size());
    HIP_CHECK(hipHostRegister(values.data(), count * sizeof(int), round % 4));
    AddOneByView(values.data(), count);
    HIP_CHECK(hipHostUnregister(values.data()));
    right = right && AllAre(values.data(), count, 1);
  }
  Expect(right, "host memory registered with all flags, forty times");

  std::vector<int> both(1024);
  int* second = both.data() + 512;
  HIP_CHECK(hipHostRegister(both.data(), 256, hipHostRegisterDefault));
  HIP_CHECK(hipHostRegister(second, 256, hipHostRegisterDefault));
  AddOneByView(both.data(), 64);
  AddOneByView(second + 16, 48);  // from the middle of the registered memory
  HIP_CHECK(hipHostUnregister(both.data()));
  AddOneByView(second, 64);
  HIP_CHECK(hipHostUnregister(second));
  Expect(AllAre(both.data(), 64, 1) && AllAre(second, 16, 1) && AllAre(second + 16, 48, 2),
         "two registrations close to each other");
}

void ExpectStreamOrdered(bool trim) {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  bool right = true;
  for (int round = 0; round < 3; ++round) {
    const size_t bytes = kValues * sizeof(int) << round;
    const int count = kValues << round;
    std::vector<int> result(count);
    void* memory = nullptr;
    HIP_CHECK(hipMallocAsync(&memory, bytes, stream));
    HIP_CHECK(hipMemsetAsync(memory, 0, bytes, stream));
    LaunchOn(stream, AddOne, Blocks(count, 256), dim3(256), static_cast<int*>(memory), count);
    HIP_CHECK(hipMemcpyAsync(result.data(), memory, bytes, hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipFreeAsync(memory, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    right = right && AllAre(result.data(), count, 1);
  }
  Expect(right, "memory allocated and freed on a stream");
  if (trim) {
    hipMemPool_t pool;
    HIP_CHECK(hipDeviceGetDefaultMemPool(&pool, 0));
    HIP_CHECK(hipMemPoolTrimTo(pool, 0));
  }
  HIP_CHECK(hipStreamDestroy(stream));
  Expect(true, "the stream is destroyed");
}

int main(int argc, char** argv) {
  ExpectRegistered();
  ExpectStreamOrdered(argc > 1 && std::string(argv[1]) == "trim");
  return ExitCode();
}
