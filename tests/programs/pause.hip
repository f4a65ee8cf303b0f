// SPDX-License-Identifier: MIT
// Launches and copies before, in and after a pause of the profiler, on streams that it names.
#include "hip_support.h"

extern "C" {
int roctxProfilerPause(uint64_t thread);
int roctxProfilerResume(uint64_t thread);
int roctxNameHipStream(const char* name, const void* stream);
}

using namespace programs;

namespace {

__global__ void Before(int* sum) { atomicAdd(sum, 1); }
__global__ void Paused(int* sum) { atomicAdd(sum, 1); }
__global__ void After(int* sum) { atomicAdd(sum, 1); }

}  // namespace

int main() {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  const bool named = roctxNameHipStream("work", stream) == 0;
  int* sum = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&sum), sizeof(int)));
  HIP_CHECK(hipMemsetAsync(sum, 0, sizeof(int), stream));
  for (int i = 0; i < 3; ++i) Before<<<dim3(1), dim3(1), 0, stream>>>(sum);
  HIP_CHECK(hipStreamSynchronize(stream));

  const bool paused = roctxProfilerPause(0) == 0;
  for (int i = 0; i < 5; ++i) Paused<<<dim3(1), dim3(1), 0, stream>>>(sum);
  HIP_CHECK(hipStreamSynchronize(stream));
  const bool resumed = roctxProfilerResume(0) == 0;

  for (int i = 0; i < 2; ++i) After<<<dim3(1), dim3(1), 0, stream>>>(sum);
  HIP_CHECK(hipStreamSynchronize(stream));
  int got = 0;
  HIP_CHECK(hipMemcpy(&got, sum, sizeof got, hipMemcpyDeviceToHost));
  Expect(got == 10, "every kernel ran");
  Expect(named && paused && resumed, "the profiler was named to, paused and resumed");
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipFree(sum));
  return ExitCode();
}
