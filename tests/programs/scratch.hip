// SPDX-License-Identifier: MIT
// Private memory: an array that is indexed at run time, and one whose address is passed to a
// function.
#include "hip_support.h"

using namespace programs;

constexpr int kIndices = 100;

__host__ __device__ int Walk(const int* indices, int thread) {
  int values[64];
  for (int i = 0; i < 64; ++i) values[i] = i * thread;
  int sum = 0;
  for (int i = 0; i < kIndices; ++i) {
    const int k = (indices[i] + thread) & 63;
    sum += values[k];
    values[k] += 3;
  }
  return sum;
}

__global__ void PrivateArray(const int* indices, int* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread] = Walk(indices, thread);
}

__device__ __noinline__ int Sum(int* values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

__device__ __noinline__ int Factorial(int n) { return n < 2 ? 1 : n * Factorial(n - 1); }

__global__ void Calls(int* out) {
  int values[8];
  for (int i = 0; i < 8; ++i) values[i] = threadIdx.x + i;
  out[threadIdx.x] = Sum(values, 8) + Factorial(static_cast<int>(threadIdx.x) % 5);
}

int main() {
  constexpr int kThreads = 256;
  std::vector<int> indices(kIndices);
  for (int i = 0; i < kIndices; ++i) indices[i] = i * 7 % 64;
  const DeviceArray<int> device_indices(indices), out(kThreads);
  Launch(PrivateArray, dim3(4), dim3(64), device_indices.data(), out.data());
  const std::vector<int> walked = out.Get();
  Expect(ForAll(kThreads, [&](int i) { return walked[i] == Walk(indices.data(), i); }),
         "a private array that is indexed at run time");

  Launch(Calls, dim3(1), dim3(64), out.data());
  const std::vector<int> called = out.Get();
  constexpr int kFactorials[] = {1, 1, 2, 6, 24};
  Expect(ForAll(64, [&](int i) { return called[i] == 8 * i + 28 + kFactorials[i % 5]; }),
         "functions that are called, one of them recursive");
  return ExitCode();
}
