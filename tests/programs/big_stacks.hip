// SPDX-License-Identifier: MIT
// Kernels with more and more private memory, on two streams, one after the other: each queue gets
// scratch memory for the first kernel of each size. Prints how often.
#include <stdio.h>

#include "hip_support.h"

using namespace programs;

constexpr int kThreads = 64;

template <int kCount>
__host__ __device__ int Walk(int thread) {
  int values[kCount];
  for (int i = 0; i < kCount; ++i) values[i] = i * thread;
  int sum = 0;
  for (int i = 0; i < 40; ++i) {
    const int k = (i * 37 + thread) % kCount;
    sum += values[k];
    values[k] += 3;
  }
  return sum;
}

template <int kCount>
__global__ void PrivateArray(int* out) {
  out[threadIdx.x] = Walk<kCount>(static_cast<int>(threadIdx.x));
}

template <int kCount>
void Run(hipStream_t stream, int* out) {
  LaunchOn(stream, PrivateArray<kCount>, dim3(1), dim3(kThreads), out);
  HIP_CHECK(hipStreamSynchronize(stream));
}

int main() {
  const DeviceArray<int> out(kThreads);
  hipStream_t streams[2];
  for (hipStream_t& stream : streams)
    HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  for (hipStream_t stream : streams) {
    Run<64>(stream, out.data());
    Run<64>(stream, out.data());  // it has room already
    Run<192>(stream, out.data());
  }
  const std::vector<int> walked = out.Get();
  Expect(ForAll(kThreads, [&](int i) { return walked[i] == Walk<192>(i); }), "private arrays");
  for (hipStream_t stream : streams) HIP_CHECK(hipStreamDestroy(stream));
  printf("4 times\n");
  return ExitCode();
}
