// SPDX-License-Identifier: MIT
// Captures, instantiates, launches and destroys graphs, one after the other, while a tool in the program traces HIP's
// calls and kernels. Argument: how many. Prints what the kernels counted, and what the tool got.
#include <hip/hip_runtime.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kNodes = 16;
rocprofiler_context_id_t context = {};
std::atomic<int> launches{0};

void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*, void*) {
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER &&
      record.operation == ROCPROFILER_HIP_RUNTIME_API_ID_hipGraphLaunch)
    ++launches;
}

int Initialize(rocprofiler_client_finalize_t, void*) {
  rocprofiler_create_context(&context);
  rocprofiler_configure_callback_tracing_service(context, ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API, nullptr, 0,
                                                 OnCall, nullptr);
  return rocprofiler_start_context(context);
}

rocprofiler_tool_configure_result_t* Configure(uint32_t, const char*, uint32_t, rocprofiler_client_id_t* id) {
  static rocprofiler_tool_configure_result_t result{sizeof result, Initialize, nullptr, nullptr};
  id->name = "graph_churn";
  return &result;
}

__global__ void Add(int* sum) { atomicAdd(sum, 1); }

void Must(hipError_t result) {
  if (result != hipSuccess) std::exit(9);
}

}  // namespace

int main(int, char** arguments) {
  const int rounds = std::atoi(arguments[1]);
  rocprofiler_force_configure(Configure);
  int *sum, result = 0;
  hipStream_t stream;
  Must(hipMalloc(&sum, 64));
  Must(hipMemset(sum, 0, 64));
  Must(hipStreamCreate(&stream));
  for (int round = 0; round < rounds; ++round) {
    hipGraph_t graph;
    hipGraphExec_t replay;
    Must(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    for (int i = 0; i < kNodes; ++i) Add<<<1, 1, 0, stream>>>(sum);
    Must(hipStreamEndCapture(stream, &graph));
    Must(hipGraphInstantiate(&replay, graph, nullptr, nullptr, 0));
    Must(hipGraphLaunch(replay, stream));
    Must(hipStreamSynchronize(stream));
    Must(hipGraphExecDestroy(replay));
    Must(hipGraphDestroy(graph));
  }
  Must(hipMemcpy(&result, sum, 4, hipMemcpyDeviceToHost));
  std::printf("sum %d, %d graph launches\n", result, launches.load());
  return result != rounds * kNodes;
}
