// SPDX-License-Identifier: MIT
// Launches and copies in profiling sessions, as a framework does, and launches between them. A
// profiler in the process (session_start, session_stop) reports how many of the launches it has
// seen.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>

#include "hip_support.h"

extern "C" {
int roctxRangePushA(const char* message);
int roctxRangePop();
}

using namespace programs;

namespace {

constexpr int kSessions = 3;
constexpr unsigned kLaunches = 12;
constexpr int kCount = 4096;

__global__ void InSession(int* values) { values[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void Between(int* values) { values[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

template <typename Function>
Function Find(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

void RunSession(DeviceArray<int>* array, std::vector<int>* values, hipStream_t stream) {
  (void)roctxRangePushA("session");
  array->Put(*values);
  for (unsigned i = 0; i < kLaunches; ++i)
    LaunchOn(stream, InSession, Blocks(kCount, 64), dim3(64), array->data());
  HIP_CHECK(hipMemcpyAsync(values->data(), array->data(), kCount * sizeof(int),
                           hipMemcpyDeviceToHost, stream));
  HIP_CHECK(hipDeviceSynchronize());
  (void)roctxRangePop();
}

}  // namespace

int main() {
  const auto start = Find<int (*)()>("session_start");
  const auto stop = Find<int (*)(unsigned*)>("session_stop");
  DeviceArray<int> array(kCount);
  std::vector<int> values(kCount);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  bool complete = true;
  for (int i = 0; i < kSessions; ++i) {
    if (start != nullptr && start() != 0) Die("session_start", "failed");
    RunSession(&array, &values, stream);
    unsigned seen = kLaunches;
    if (stop != nullptr && stop(&seen) != 0) Die("session_stop", "failed");
    if (seen != kLaunches) {
      complete = false;
      std::fprintf(stderr, "session %d: %u of %u launches\n", i, seen, kLaunches);
    }
    Launch(Between, Blocks(kCount, 64), dim3(64), array.data());
    HIP_CHECK(hipDeviceSynchronize());
  }
  Expect(values[0] == kSessions * static_cast<int>(kLaunches), "every kernel ran");
  Expect(complete, "every session saw its launches");
  HIP_CHECK(hipStreamDestroy(stream));
  return ExitCode();
}
