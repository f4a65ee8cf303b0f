// SPDX-License-Identifier: MIT
// graph_launch_bench: how long hipGraphLaunch of a chain of kernels keeps the host. Run it untraced
// and traced; benchmarks/overhead.py does both, interleaved. Prints "name value" lines; times in
// nanoseconds.
//
//   graph_launch_bench MODULE NODES LAUNCHES    MODULE: first_kernel.co of tests/programs
//
// Between launches the program waits for the GPU, outside of the measured time.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "benchmarks/hip_bench.h"

namespace {

using rtl::bench::NowNs;
using rtl::bench::Print;

hipGraphExec_t Chain(const char* file, int nodes) {
  hipModule_t module;
  hipFunction_t kernel;
  hipGraph_t graph;
  hipGraphExec_t instance;
  int* out = nullptr;
  CHECK(hipModuleLoad(&module, file));
  CHECK(hipModuleGetFunction(&kernel, module, "first_kernel"));
  CHECK(hipMalloc(reinterpret_cast<void**>(&out), sizeof *out));
  void* arguments[] = {&out};
  CHECK(hipGraphCreate(&graph, 0));
  hipKernelNodeParams node = {};
  node.func = kernel;
  node.gridDim = dim3(1);
  node.blockDim = dim3(64);
  node.kernelParams = arguments;
  hipGraphNode_t last = nullptr;
  for (int i = 0; i < nodes; ++i) {
    hipGraphNode_t added;
    CHECK(hipGraphAddKernelNode(&added, graph, &last, last == nullptr ? 0 : 1, &node));
    last = added;
  }
  CHECK(hipGraphInstantiate(&instance, graph, nullptr, nullptr, 0));
  return instance;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: graph_launch_bench MODULE NODES LAUNCHES\n");
    return 2;
  }
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream));
  const hipGraphExec_t graph = Chain(argv[1], std::atoi(argv[2]));
  std::vector<uint64_t> launches(static_cast<size_t>(std::max(std::atoi(argv[3]), 1)));
  constexpr int kWarmUp = 3;
  for (int i = 0; i < kWarmUp; ++i) {
    CHECK(hipGraphLaunch(graph, stream));
    CHECK(hipStreamSynchronize(stream));
  }
  for (uint64_t& launch : launches) {
    const uint64_t before = NowNs();
    CHECK(hipGraphLaunch(graph, stream));
    launch = NowNs() - before;
    CHECK(hipStreamSynchronize(stream));
  }
  std::sort(launches.begin(), launches.end());
  Print("graph_p50", launches[launches.size() / 2]);
  Print("graph_p99", launches[launches.size() * 99 / 100]);
  Print("submitted", (launches.size() + kWarmUp) * std::strtoull(argv[2], nullptr, 10));
  return 0;
}
