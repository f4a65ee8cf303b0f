// SPDX-License-Identifier: MIT
// A GPU that is idle for one known reason: idle_causes sleep|synchronize|none. Prints "cost NS": how
// long the host kept it idle by that.
#include <time.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "hip_support.h"

using namespace programs;

namespace {

constexpr int kKernels = 4;
constexpr uint64_t kPauseNs = 100'000'000;

__global__ void Step(int* sum, int rounds) {
  for (int i = 0; i < rounds; ++i) atomicAdd(sum, 1);
}

uint64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

void Sleep(uint64_t ns) {
  timespec rest = {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
  while (nanosleep(&rest, &rest) != 0) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* const cause = argc > 1 ? argv[1] : "none";
  int* sum = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&sum), sizeof(int)));
  HIP_CHECK(hipMemset(sum, 0, sizeof(int)));
  Step<<<dim3(1), dim3(1)>>>(sum, 1);  // what is loaded at a first launch is no pause
  HIP_CHECK(hipDeviceSynchronize());
  uint64_t cost = 0;
  const int kernels = strcmp(cause, "synchronize") == 0 ? 50 * kKernels : kKernels;
  for (int i = 0; i < kernels; ++i) {
    Step<<<dim3(1), dim3(64)>>>(sum, 100);
    if (strcmp(cause, "none") == 0) continue;
    HIP_CHECK(hipDeviceSynchronize());
    const uint64_t begin = NowNs();
    if (strcmp(cause, "sleep") == 0) Sleep(kPauseNs);
    cost += NowNs() - begin;
  }
  HIP_CHECK(hipDeviceSynchronize());
  // What came after the last kernel kept no GPU idle.
  if (strcmp(cause, "sleep") == 0) Step<<<dim3(1), dim3(1)>>>(sum, 1);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFree(sum));
  std::printf("cost %" PRIu64 "\n", cost);
  return ExitCode();
}
