// SPDX-License-Identifier: MIT
// A program with a profiler of its own, as frameworks have: it calls rocprofiler_force_configure, and later opens
// windows in which a context is active. Arguments: "early", before the first call of HIP, or "late", after kernels have
// run; how many windows. Prints what each window got: kernels of three streams and of a graph, and the calls behind
// them. "found" in place of "early": nothing is called; in own_profiler_exported the profiler is found by its exported
// function. A third argument "worker": a forked child does all that; "heir": its parent has configured the profiler; "orphan": its parent has
// used HIP.
// "crowd": threads launch all the time, and each window must have what they launched after it was
// opened and before it is closed, which are the larger kernels.
#include <hip/hip_runtime.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace {

constexpr int kStreams = 3, kLaunches = 30, kNodes = 16;
rocprofiler_context_id_t context = {};
rocprofiler_buffer_id_t buffer = {};
std::mutex lock;
std::multiset<uint64_t> kernels;
std::set<uint64_t> calls;
std::set<uint64_t> names;
unsigned fewest = 0;  // the width of the kernels that are kept

void OnRecords(rocprofiler_context_id_t, rocprofiler_buffer_id_t, rocprofiler_record_header_t** headers, size_t count,
               void*, uint64_t) {
  std::lock_guard<std::mutex> hold(lock);
  for (size_t i = 0; i < count; ++i) {
    if (headers[i]->category != ROCPROFILER_BUFFER_CATEGORY_TRACING) continue;
    if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH) {
      auto* const record = static_cast<rocprofiler_buffer_tracing_kernel_dispatch_record_t*>(headers[i]->payload);
      if (record->end_timestamp <= record->start_timestamp) std::printf("a kernel without time\n");
      if (record->dispatch_info.grid_size.x >= fewest) kernels.insert(record->correlation_id.internal);
      names.insert(record->dispatch_info.kernel_id);
    }
    if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API)
      calls.insert(
          static_cast<rocprofiler_buffer_tracing_hip_api_record_t*>(headers[i]->payload)->correlation_id.internal);
  }
}

int Initialize(rocprofiler_client_finalize_t, void*) {
  rocprofiler_create_context(&context);
  rocprofiler_create_buffer(context, 1 << 20, 1 << 19, ROCPROFILER_BUFFER_POLICY_LOSSLESS, OnRecords, nullptr, &buffer);
  rocprofiler_configure_buffer_tracing_service(context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, nullptr, 0, buffer);
  rocprofiler_configure_buffer_tracing_service(context, ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API, nullptr, 0, buffer);
  return 0;
}

void Finalize(void*) {}

rocprofiler_tool_configure_result_t* Configure(uint32_t, const char*, uint32_t, rocprofiler_client_id_t* id) {
  static rocprofiler_tool_configure_result_t result{sizeof result, Initialize, Finalize, nullptr};
  id->name = "framework";
  return &result;
}

#ifdef EXPORTED
extern "C" __attribute__((visibility("default"))) rocprofiler_tool_configure_result_t* rocprofiler_configure(
    uint32_t version, const char* text, uint32_t priority, rocprofiler_client_id_t* id) {
  return Configure(version, text, priority, id);
}
#endif

void Register() { std::printf("force_configure: %d\n", rocprofiler_force_configure(Configure)); }

__global__ void Scale(float* x) { x[threadIdx.x] *= 2; }

void Window(int number, hipStream_t* streams, hipGraphExec_t replay, float* x) {
  std::printf("window %d: start %d", number, rocprofiler_start_context(context));
  for (int i = 0; i < kLaunches; ++i) Scale<<<1, 64, 0, streams[i % kStreams]>>>(x);
  if (hipGraphLaunch(replay, streams[0]) != hipSuccess || hipDeviceSynchronize() != hipSuccess) std::exit(9);
  rocprofiler_stop_context(context);
  rocprofiler_flush_buffer(buffer);
  std::lock_guard<std::mutex> hold(lock);
  size_t linked = 0;
  for (uint64_t id : kernels) linked += calls.count(id);
  std::printf(", %zu kernels, %zu linked, %zu calls\n", kernels.size(), linked, calls.size());
  kernels.clear();
  calls.clear();
}

// Each thread launches narrow kernels until a window is open, and then its share of wide ones.
void Crowd(int windows, float* x) {
  constexpr int kThreads = 4, kWide = 100;
  fewest = 128;
  std::atomic<int> open{0}, done{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      hipStream_t stream;
      if (hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) != hipSuccess) std::exit(9);
      for (int window = 1; window <= windows; ++window) {
        for (int n = 0; open < window; ++n) {
          Scale<<<1, 64, 0, stream>>>(x);
          if (n % 64 == 0 && hipStreamSynchronize(stream) != hipSuccess) std::exit(9);
        }
        for (int n = 0; n < kWide; ++n) Scale<<<1, 128, 0, stream>>>(x);
        if (hipStreamSynchronize(stream) != hipSuccess) std::exit(9);
        ++done;
      }
    });
  }
  for (int window = 1; window <= windows; ++window) {
    const int started = rocprofiler_start_context(context);
    open = window;
    while (done < kThreads * window) std::this_thread::yield();
    rocprofiler_stop_context(context);
    rocprofiler_flush_buffer(buffer);
    std::lock_guard<std::mutex> hold(lock);
    size_t linked = 0;
    for (uint64_t id : kernels) linked += calls.count(id);
    std::printf("window %d: start %d, %zu wide kernels, %zu linked\n", window - 1, started, kernels.size(), linked);
    kernels.clear();
    calls.clear();
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** arguments) {
  const bool late = std::strcmp(arguments[1], "late") == 0, found = std::strcmp(arguments[1], "found") == 0;
  const char* const how = argc > 3 ? arguments[3] : "";
  if (std::strcmp(how, "heir") == 0) Register();
  if (std::strcmp(how, "worker") == 0 || std::strcmp(how, "heir") == 0) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child != 0) {
      int status = 0;
      return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 9;
    }
  }
  if (!late && !found) Register();
  float* x;
  hipStream_t streams[kStreams];
  if (hipMalloc(&x, 4096) != hipSuccess) return 9;
  for (auto& stream : streams) {
    if (hipStreamCreate(&stream) != hipSuccess) return 9;
    Scale<<<1, 64, 0, stream>>>(x);
  }
  if (hipDeviceSynchronize() != hipSuccess) return 9;
  if (std::strcmp(how, "orphan") == 0) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      Register();
      std::fflush(stdout);
      _exit(0);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 9;
  }
  if (late) Register();
  if (std::strcmp(how, "crowd") == 0) {
    Crowd(std::atoi(arguments[2]), x);
    return 0;
  }
  hipGraph_t graph;
  hipGraphExec_t replay;
  if (hipStreamBeginCapture(streams[0], hipStreamCaptureModeGlobal) != hipSuccess) return 9;
  for (int i = 0; i < kNodes; ++i) Scale<<<1, 64, 0, streams[0]>>>(x);
  if (hipStreamEndCapture(streams[0], &graph) != hipSuccess ||
      hipGraphInstantiate(&replay, graph, nullptr, nullptr, 0) != hipSuccess)
    return 9;
  for (int window = 0; window < std::atoi(arguments[2]); ++window) {
    Window(window, streams, replay, x);
    Scale<<<1, 64, 0, streams[1]>>>(x);  // between the windows
    if (hipDeviceSynchronize() != hipSuccess) return 9;
  }
  std::printf("%zu names\n", names.size());
  return 0;
}
