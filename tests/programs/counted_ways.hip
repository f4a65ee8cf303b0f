// SPDX-License-Identifier: MIT
// counted_ways: the same kernel alone, beside kernels of other streams, in a graph, and alone again.
#include "hip_support.h"

using namespace programs;

// Each of the ways has a name of its own, and the same work.
template <int kWay>
__global__ void Work(unsigned* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = values[i] * 3u + 1u;
}

constexpr int kCount = 4096;
constexpr int kEach = 6;

template <int kWay>
void LaunchEach(hipStream_t stream, unsigned* values) {
  for (int i = 0; i < kEach; ++i) {
    LaunchOn(stream, Work<kWay>, dim3(kCount / 256), dim3(256), values, kCount);
  }
}

int main() {
  const DeviceArray<unsigned> values(std::vector<unsigned>(kCount, 0)),
      others(std::vector<unsigned>(kCount, 0));
  hipStream_t stream, beside[2];
  HIP_CHECK(hipStreamCreate(&stream));
  for (hipStream_t& each : beside) HIP_CHECK(hipStreamCreate(&each));

  LaunchEach<0>(stream, values.data());
  HIP_CHECK(hipStreamSynchronize(stream));
  for (int i = 0; i < kEach; ++i) {
    LaunchOn(beside[0], Work<4>, dim3(kCount / 256), dim3(256), others.data(), kCount);
    LaunchOn(stream, Work<1>, dim3(kCount / 256), dim3(256), values.data(), kCount);
    LaunchOn(beside[1], Work<5>, dim3(kCount / 256), dim3(256), others.data(), kCount);
  }
  HIP_CHECK(hipDeviceSynchronize());

  hipGraph_t graph;
  hipGraphExec_t instance;
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  LaunchEach<2>(stream, values.data());
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  HIP_CHECK(hipGraphInstantiate(&instance, graph, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(instance, stream));
  LaunchEach<3>(stream, values.data());
  HIP_CHECK(hipStreamSynchronize(stream));

  unsigned want = 0;
  for (int i = 0; i < 4 * kEach; ++i) want = want * 3 + 1;
  const std::vector<unsigned> got = values.Get();
  Expect(ForAll(kCount, [&](int i) { return got[i] == want; }), "every kernel ran once, in order");
  HIP_CHECK(hipGraphExecDestroy(instance));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipStreamDestroy(stream));
  for (hipStream_t each : beside) HIP_CHECK(hipStreamDestroy(each));
  return ExitCode();
}
