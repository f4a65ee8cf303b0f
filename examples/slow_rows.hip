// SPDX-License-Identifier: MIT
// A kernel with a slow line: each thread divides one element by its row's length, which it computes anew.
//
//   hipcc -g -O2 --offload-arch=gfx90a slow_rows.hip -o slow_rows
//   rtl trace --pc-sampling 10us ./slow_rows
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kRows = 64;
constexpr int kColumns = 256;

static void Check(hipError_t status, const char* what) {
  if (status == hipSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(status));
  std::exit(1);
}

__device__ inline float RowLength(const float* row) {
  float sum = 0;
  for (int i = 0; i < kColumns; ++i) {
    sum += row[i] * row[i];
  }
  return sqrtf(sum);
}

__global__ void Normalize(const float* in, float* out) {
  const int row = blockIdx.x;
  const int column = threadIdx.x;
  const float length = RowLength(in + row * kColumns);
  out[row * kColumns + column] = in[row * kColumns + column] / length;
}

__global__ void Scale(float* data, float factor) {
  data[blockIdx.x * kColumns + threadIdx.x] *= factor;
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 4;
  std::vector<float> values(kRows * kColumns);
  for (size_t i = 0; i < values.size(); ++i) values[i] = 1 + static_cast<float>(i % 7);
  const size_t bytes = values.size() * sizeof(float);
  float *in = nullptr, *out = nullptr;
  Check(hipMalloc(&in, bytes), "hipMalloc");
  Check(hipMalloc(&out, bytes), "hipMalloc");
  Check(hipMemcpy(in, values.data(), bytes, hipMemcpyHostToDevice), "hipMemcpy");
  for (int step = 0; step < steps; ++step) {
    Normalize<<<kRows, kColumns>>>(in, out);
    Scale<<<kRows, kColumns>>>(out, 2);
  }
  Check(hipMemcpy(values.data(), out, bytes, hipMemcpyDeviceToHost), "hipMemcpy");
  float sum = 0;
  for (int i = 0; i < kColumns; ++i) sum += values[i] * values[i];
  std::printf("length of the first row: %.3f\n", std::sqrt(sum));
  Check(hipFree(in), "hipFree");
  Check(hipFree(out), "hipFree");
  return 0;
}
