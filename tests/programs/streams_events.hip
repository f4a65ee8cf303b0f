// SPDX-License-Identifier: MIT
// Two streams that wait for each other's events, and events that measure time.
// usage: streams_events [numbers to add]
#include "hip_support.h"

using namespace programs;

__global__ void Add(const float* a, const float* b, float* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 100'003;
  constexpr int kRounds = 5;
  std::vector<float> start(count);
  for (int i = 0; i < count; ++i) start[i] = i * 0.25f;
  const DeviceArray<float> a(start), b(start);
  hipStream_t first, second;
  hipEvent_t begin, there, back;
  HIP_CHECK(hipStreamCreate(&first));
  HIP_CHECK(hipStreamCreate(&second));
  HIP_CHECK(hipEventCreate(&begin));
  HIP_CHECK(hipEventCreate(&there));
  HIP_CHECK(hipEventCreateWithFlags(&back, hipEventDisableTiming));

  // a doubles on the first stream, b takes a + b on the second, in turns.
  HIP_CHECK(hipEventRecord(begin, first));
  for (int round = 0; round < kRounds; ++round) {
    LaunchOn(first, Add, Blocks(count, 256), dim3(256), a.data(), a.data(), a.data(), count);
    HIP_CHECK(hipEventRecord(there, first));
    HIP_CHECK(hipStreamWaitEvent(second, there, 0));
    LaunchOn(second, Add, Blocks(count, 256), dim3(256), a.data(), b.data(), b.data(), count);
    HIP_CHECK(hipEventRecord(back, second));
    HIP_CHECK(hipStreamWaitEvent(first, back, 0));
  }
  HIP_CHECK(hipStreamSynchronize(first));
  HIP_CHECK(hipStreamSynchronize(second));
  const std::vector<float> sums = b.Get();
  // 1 + 2 + 4 + 8 + 16 + 32
  Expect(ForAll(count, [&](int i) { return sums[i] == start[i] * ((2 << kRounds) - 1); }),
         "two streams took turns");

  float milliseconds = -1;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, begin, there));
  Expect(milliseconds > 0, "time passed between two events");
  Expect(hipEventElapsedTime(&milliseconds, begin, back) != hipSuccess,
         "an event without timing has no time");
  Expect(hipEventQuery(there) == hipSuccess, "a finished event is ready");
  Expect(hipStreamQuery(first) == hipSuccess, "a finished stream is ready");
  for (const hipEvent_t event : {begin, there, back}) HIP_CHECK(hipEventDestroy(event));
  for (const hipStream_t stream : {first, second}) HIP_CHECK(hipStreamDestroy(stream));
  return ExitCode();
}
