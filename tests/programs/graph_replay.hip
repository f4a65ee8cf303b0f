// SPDX-License-Identifier: MIT
// A graph of kernels is captured from a stream once and launched many times; then the next one, of
// another size.
// usage: graph_replay [launches [nodes...]]
#include "hip_support.h"

using namespace programs;

__global__ void Increment(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) ++values[i];
}

__global__ void Double(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= 2;
}

void Replay(int launches, int nodes) {
  constexpr int kCount = 256;
  const int increments = nodes - 1;
  const DeviceArray<int> values(std::vector<int>(kCount, 0));
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  hipGraph_t graph;
  HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  for (int i = 0; i < increments; ++i) {
    LaunchOn(stream, Increment, dim3(1), dim3(kCount), values.data(), kCount);
  }
  LaunchOn(stream, Double, dim3(1), dim3(kCount), values.data(), kCount);
  HIP_CHECK(hipStreamEndCapture(stream, &graph));
  Expect(values.Get()[0] == 0, "capturing runs nothing");

  hipGraphExec_t instance;
  HIP_CHECK(hipGraphInstantiate(&instance, graph, nullptr, nullptr, 0));
  int want = 0;
  for (int i = 0; i < launches; ++i) {
    HIP_CHECK(hipGraphLaunch(instance, stream));
    want = (want + increments) * 2;
  }
  HIP_CHECK(hipStreamSynchronize(stream));
  const std::vector<int> got = values.Get();
  Expect(ForAll(kCount, [&](int i) { return got[i] == want; }), "every launch ran every node");
  HIP_CHECK(hipGraphExecDestroy(instance));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipStreamDestroy(stream));
}

int main(int argc, char** argv) {
  const int launches = argc > 1 ? std::atoi(argv[1]) : 3;
  if (argc <= 2) Replay(launches, 6);
  for (int i = 2; i < argc; ++i) Replay(launches, std::atoi(argv[i]));
  return ExitCode();
}
