// SPDX-License-Identifier: MIT
// Launches from several threads, on a stream each and on one that they share, without triple
// brackets: kernels of a module, cooperative kernels, nodes that are added to a graph one by one.
// Kernels are named after the calls that launch them; the program counts its own calls.
// usage: launch_calls <module> <threads> <rounds>
#include <hip/hip_ext.h>

#include <atomic>
#include <thread>

#include "call_count.h"

using namespace programs;

extern "C" __global__ void by_hipLaunchCooperativeKernel(int* sum) { atomicAdd(sum, 1); }
extern "C" __global__ void by_hipGraphLaunch(int* sum) { atomicAdd(sum, 1); }

namespace {

struct Functions {
  hipFunction_t by_module, by_ext_module;
};

void Round(const Functions& functions, hipStream_t stream, int* sum) {
  void* arguments[] = {&sum};
  CALL(hipModuleLaunchKernel, functions.by_module, 2, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
  CALL(hipExtModuleLaunchKernel, functions.by_ext_module, 3, 1, 1, 1, 1, 1, 0, stream, arguments,
       nullptr, nullptr, nullptr, 0);
}

// By one thread: HIP 7.2 crashes when several launch cooperative kernels, untraced as well.
void LaunchCooperatives(hipStream_t stream, int rounds, int* sum) {
  void* arguments[] = {&sum};
  for (int i = 0; i < rounds; ++i) {
    CALL(hipLaunchCooperativeKernel, reinterpret_cast<const void*>(&by_hipLaunchCooperativeKernel),
         dim3(4), dim3(1), arguments, 0, stream);
  }
}

void Rounds(const Functions& functions, hipStream_t shared, int rounds, int* sum) {
  hipStream_t own;
  CALL(hipStreamCreateWithFlags, &own, hipStreamNonBlocking);
  for (int i = 0; i < rounds; ++i) Round(functions, i % 2 == 0 ? own : shared, sum);
  CALL(hipStreamSynchronize, own);
  CALL(hipStreamDestroy, own);
}

// A fill, a kernel that counts on it, and a copy of the count, one after the other.
void LaunchGraph(int* device, int* host, int times) {
  hipGraph_t graph;
  hipGraphExec_t instance;
  hipGraphNode_t fill, count, copy;
  hipStream_t stream;
  CALL(hipStreamCreate, &stream);
  CALL(hipGraphCreate, &graph, 0);
  hipMemsetParams zero = {};
  zero.dst = device;
  zero.elementSize = sizeof(int);
  zero.width = 1;
  zero.height = 1;
  CALL(hipGraphAddMemsetNode, &fill, graph, nullptr, 0, &zero);
  void* arguments[] = {&device};
  hipKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(&by_hipGraphLaunch);
  kernel.gridDim = dim3(5);
  kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  CALL(hipGraphAddKernelNode, &count, graph, &fill, 1, &kernel);
  CALL(hipGraphAddMemcpyNode1D, &copy, graph, &count, 1, host, device, sizeof(int),
       hipMemcpyDeviceToHost);
  CALL(hipGraphInstantiate, &instance, graph, nullptr, nullptr, 0);
  for (int i = 0; i < times; ++i) CALL(hipGraphLaunch, instance, stream);
  CALL(hipStreamSynchronize, stream);
  CALL(hipGraphExecDestroy, instance);
  CALL(hipGraphDestroy, graph);
  CALL(hipStreamDestroy, stream);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) Die("usage", "launch_calls <module> <threads> <rounds>");
  const int threads = std::atoi(argv[2]);
  const int rounds = std::atoi(argv[3]);
  hipModule_t module;
  Functions functions;
  CALL(hipModuleLoad, &module, argv[1]);
  CALL(hipModuleGetFunction, &functions.by_module, module, "by_hipModuleLaunchKernel");
  CALL(hipModuleGetFunction, &functions.by_ext_module, module, "by_hipExtModuleLaunchKernel");
  int* sums = nullptr;
  int* host = nullptr;
  CALL(hipMalloc, reinterpret_cast<void**>(&sums), 2 * sizeof(int));
  CALL(hipHostMalloc, reinterpret_cast<void**>(&host), sizeof(int), 0);
  CALL(hipMemsetD32, sums, 0, 2);
  CALL(hipDeviceSynchronize);  // it may return before; streams of their own do not wait for it
  hipStream_t shared;
  CALL(hipStreamCreate, &shared);
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([=] { Rounds(functions, shared, rounds, sums); });
  }
  LaunchCooperatives(shared, rounds, sums);
  for (std::thread& worker : workers) worker.join();
  CALL(hipDeviceSynchronize);
  int got = 0;
  CALL(hipMemcpyDtoH, &got, sums, sizeof got);
  Expect(got == rounds * (threads * (2 + 3) + 4), "every launch ran its grid");
  LaunchGraph(sums + 1, host, 3);
  Expect(*host == 5, "every launch of the graph filled, counted and copied");
  CALL(hipModuleUnload, module);
  CALL(hipStreamDestroy, shared);
  CALL(hipHostFree, host);
  CALL(hipFree, sums);
  PrintCalls();
  return ExitCode();
}
