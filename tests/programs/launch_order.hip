// SPDX-License-Identifier: MIT
// One thread launches kernels on eight streams in turn. The grid of the i-th has i workgroups, and
// early ones are long, so they end in another order.
#include "hip_support.h"

using namespace programs;

__global__ void Spin(int* sink, int turns) {
  for (int i = 0; i < turns; ++i) atomicAdd(sink, 1);
}

int main() {
  constexpr int kKernels = 32;
  hipStream_t streams[8];
  for (hipStream_t& stream : streams) HIP_CHECK(hipStreamCreate(&stream));
  int* sink = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&sink), sizeof(int)));
  HIP_CHECK(hipMemset(sink, 0, sizeof(int)));
  int expected = 0;
  for (int i = 1; i <= kKernels; ++i) {
    const int turns = i % 8 == 1 ? 3000 : 10;
    LaunchOn(streams[i % 8], Spin, dim3(i), dim3(64), sink, turns);
    expected += i * 64 * turns;
  }
  HIP_CHECK(hipDeviceSynchronize());
  int got = 0;
  HIP_CHECK(hipMemcpy(&got, sink, sizeof got, hipMemcpyDeviceToHost));
  Expect(got == expected, "every kernel ran");
  for (const hipStream_t stream : streams) HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipFree(sink));
  return ExitCode();
}
