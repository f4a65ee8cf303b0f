// SPDX-License-Identifier: MIT
// Matrix product with tiles in group memory and barriers between them.
#include <cmath>

#include "hip_support.h"

using namespace programs;

constexpr int kTile = 16;

__global__ void Gemm(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n / kTile; ++tile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + tile * kTile + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(tile * kTile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  constexpr int kSize = 64;
  std::vector<float> a(kSize * kSize), b(kSize * kSize);
  for (int i = 0; i < kSize * kSize; ++i) {
    a[i] = (i % 13) - 6;
    b[i] = (i % 7) * 0.25f;
  }
  const DeviceArray<float> device_a(a), device_b(b), device_c(kSize * kSize);
  Launch(Gemm, dim3(kSize / kTile, kSize / kTile), dim3(kTile, kTile), device_a.data(),
         device_b.data(), device_c.data(), kSize);
  const std::vector<float> c = device_c.Get();
  // All products and sums are small multiples of 1/4, so the result is exact in any order.
  const auto exact = [&](int i) {
    float want = 0;
    for (int k = 0; k < kSize; ++k) want += a[i / kSize * kSize + k] * b[k * kSize + i % kSize];
    return c[i] == want;
  };
  Expect(ForAll(kSize * kSize, exact), "64 x 64 matrix product");
  return ExitCode();
}
