// SPDX-License-Identifier: MIT
// A tree reduction in group memory, and a histogram with group memory atomics.
#include <numeric>

#include "hip_support.h"

using namespace programs;

constexpr int kBlock = 256;

__global__ void Sum(const int* in, int* out, int count) {
  __shared__ int partial[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  partial[t] = i < count ? in[i] : 0;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, partial[0]);
}

__global__ void Histogram(const unsigned char* in, unsigned* bins, int count) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < count; i += gridDim.x * kBlock) {
    atomicAdd(&local[in[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  constexpr int kCount = 100'003;
  std::vector<int> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = (i * 37) % 101 - 50;
  const DeviceArray<int> in(values);
  DeviceArray<int> total(1);
  total.Clear();
  Launch(Sum, Blocks(kCount, kBlock), dim3(kBlock), in.data(), total.data(), kCount);
  Expect(total.Get()[0] == std::accumulate(values.begin(), values.end(), 0),
         "sum of 100003 integers");

  std::vector<unsigned char> bytes(kCount);
  std::vector<unsigned> want(256);
  for (int i = 0; i < kCount; ++i) {
    bytes[i] = (i * 2654435761u) >> 24;
    ++want[bytes[i]];
  }
  const DeviceArray<unsigned char> samples(bytes);
  DeviceArray<unsigned> bins(256);
  bins.Clear();
  Launch(Histogram, dim3(8), dim3(kBlock), samples.data(), bins.data(), kCount);
  Expect(bins.Get() == want, "histogram of 100003 bytes");
  return ExitCode();
}
