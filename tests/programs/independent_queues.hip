// SPDX-License-Identifier: MIT
// A kernel on one stream spins until kernels on other streams have run: queues must not wait for
// each other.
#include "hip_support.h"

using namespace programs;

__global__ void WaitFor(int* flags, int count, int* result) {
  for (int i = 0; i < count; ++i) {
    while (__hip_atomic_load(&flags[i], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) == 0) {
    }
  }
  *result = count;
}

// Fills the device, so that helpers of other queues are busy with a kernel that does not end.
__global__ void WaitEverywhere(int* flag, int* arrived) {
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) == 0) {
  }
  if (threadIdx.x == 0) atomicAdd(arrived, 1);
}

__global__ void Raise(int* flag) {
  __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}

int main() {
  constexpr int kStreams = 3;
  hipStream_t streams[kStreams];
  for (hipStream_t& stream : streams) {
    HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  }
  int* shared = nullptr;
  HIP_CHECK(
      hipHostMalloc(reinterpret_cast<void**>(&shared), 64 * sizeof(int), hipHostMallocCoherent));
  for (int i = 0; i < 64; ++i) shared[i] = 0;
  int* flags = shared;
  int* result = shared + 32;

  LaunchOn(streams[0], WaitFor, dim3(1), dim3(1), flags, kStreams - 1, result);
  for (int i = 1; i < kStreams; ++i) LaunchOn(streams[i], Raise, dim3(1), dim3(1), &flags[i - 1]);
  HIP_CHECK(hipStreamSynchronize(streams[0]));
  Expect(*result == kStreams - 1, "a spinning kernel saw the flags of two other streams");

  int* arrived = shared + 33;
  LaunchOn(streams[0], WaitEverywhere, dim3(256), dim3(64), &shared[40], arrived);
  LaunchOn(streams[1], WaitEverywhere, dim3(256), dim3(64), &shared[41], arrived);
  LaunchOn(streams[2], Raise, dim3(1), dim3(1), &shared[41]);
  HIP_CHECK(hipStreamSynchronize(streams[1]));
  Expect(*arrived == 256, "a wide kernel ended while another wide kernel was spinning");
  LaunchOn(streams[2], Raise, dim3(1), dim3(1), &shared[40]);
  HIP_CHECK(hipStreamSynchronize(streams[0]));
  Expect(*arrived == 512, "and then the other one");

  for (const hipStream_t stream : streams) HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipHostFree(shared));
  return ExitCode();
}
