// SPDX-License-Identifier: MIT
// Calls HIP from several threads on several streams, in every way that launches kernels, and counts
// its own calls. Kernels are named after the calls that launch them. Each launch has a grid of its
// own, so that a reader of the trace can tell which launch a kernel belongs to. Each thread's copy
// has a size of its own for the same reason.
// usage: api_calls <threads> <launches per thread>
#include <hip/hip_ext.h>

#include <atomic>
#include <thread>

#include "call_count.h"

using namespace programs;

namespace {

__global__ void ByLaunchKernel(int* sum) { atomicAdd(sum, 1); }
__global__ void ByExtLaunchKernel(int* sum) { atomicAdd(sum, 1); }
__global__ void ByGraphLaunch(int* sum) { atomicAdd(sum, 1); }

// The compiler turns the triple brackets into three calls.
void Chevron(hipStream_t stream, unsigned blocks, int* sum) {
  Count("__hipPushCallConfiguration");
  Count("__hipPopCallConfiguration");
  Count("hipLaunchKernel");
  ByLaunchKernel<<<dim3(blocks), dim3(1), 0, stream>>>(sum);
  CALL(hipGetLastError);
}

void ExtLaunch(hipStream_t stream, unsigned blocks, int* sum) {
  void* arguments[] = {&sum};
  CALL(hipExtLaunchKernel, reinterpret_cast<const void*>(&ByExtLaunchKernel), dim3(blocks), dim3(1),
       arguments, 0, stream, nullptr, nullptr, 0);
}

std::atomic<unsigned> g_wrong_copies{0};

// `first` is this thread's own range of grids.
void LaunchMany(unsigned first, unsigned launches, hipStream_t shared, int* sum) {
  hipStream_t own;
  CALL(hipStreamCreate, &own);
  const size_t bytes = (size_t{1} << 20) + size_t{first} * 4096;
  void* device = nullptr;
  void* host = nullptr;
  CALL(hipMalloc, &device, bytes);
  CALL(hipHostMalloc, &host, bytes, 0);
  CALL(hipMemsetAsync, device, 7, bytes, own);
  CALL(hipMemcpyAsync, host, device, bytes, hipMemcpyDeviceToHost, own);
  for (unsigned i = 0; i < launches; ++i) {
    const hipStream_t stream = i % 2 == 0 ? own : shared;
    if (i % 3 == 0) {
      ExtLaunch(stream, first + i, sum);
    } else {
      Chevron(stream, first + i, sum);
    }
  }
  CALL(hipStreamSynchronize, own);
  const auto* const copied = static_cast<const char*>(host);
  if (copied[0] != 7 || copied[bytes - 1] != 7) ++g_wrong_copies;
  CALL(hipHostFree, host);
  CALL(hipFree, device);
  CALL(hipStreamDestroy, own);
}

void LaunchGraph(int* sum, int nodes, int times) {
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t instance;
  CALL(hipStreamCreate, &stream);
  CALL(hipStreamBeginCapture, stream, hipStreamCaptureModeGlobal);
  for (int i = 0; i < nodes; ++i) {
    Count("__hipPushCallConfiguration");
    Count("__hipPopCallConfiguration");
    Count("hipLaunchKernel");
    ByGraphLaunch<<<dim3(1), dim3(1), 0, stream>>>(sum);
  }
  CALL(hipStreamEndCapture, stream, &graph);
  CALL(hipGraphInstantiate, &instance, graph, nullptr, nullptr, 0);
  for (int i = 0; i < times; ++i) CALL(hipGraphLaunch, instance, stream);
  CALL(hipStreamSynchronize, stream);
  CALL(hipGraphExecDestroy, instance);
  CALL(hipGraphDestroy, graph);
  CALL(hipStreamDestroy, stream);
}

void Fail() {
  Count("hipMalloc");
  void* memory = nullptr;
  const bool refused = hipMalloc(&memory, size_t{1} << 50) == hipErrorOutOfMemory;
  Count("hipGetLastError");
  const bool told = hipGetLastError() == hipErrorOutOfMemory;
  Expect(refused && told, "too much memory is refused");
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned threads = argc > 1 ? std::atoi(argv[1]) : 4;
  const unsigned launches = argc > 2 ? std::atoi(argv[2]) : 50;
  constexpr int kNodes = 5;
  constexpr int kTimes = 3;
  constexpr int kValues = 1024;
  int* sums = nullptr;
  CALL(hipMalloc, reinterpret_cast<void**>(&sums), kValues * sizeof(int));
  CALL(hipMemset, sums, 0, kValues * sizeof(int));
  hipStream_t shared;
  CALL(hipStreamCreate, &shared);
  std::vector<std::thread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    workers.emplace_back([=] { LaunchMany(1 + t * launches, launches, shared, sums); });
  }
  for (std::thread& worker : workers) worker.join();
  LaunchGraph(sums + 1, kNodes, kTimes);
  CALL(hipStreamSynchronize, shared);
  CALL(hipStreamDestroy, shared);
  std::vector<int> got(kValues);
  CALL(hipMemcpy, got.data(), sums, kValues * sizeof(int), hipMemcpyDeviceToHost);
  const unsigned all = threads * launches;
  Expect(got[0] == static_cast<int>(all * (all + 1) / 2), "every launch ran its grid");
  Expect(got[1] == kNodes * kTimes, "every node of the graph ran");
  Expect(g_wrong_copies == 0, "every thread copied what it had set");
  Fail();
  CALL(hipFree, sums);
  PrintCalls();
  return ExitCode();
}
