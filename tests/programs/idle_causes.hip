// SPDX-License-Identifier: MIT
// A GPU that loses time for one known reason: idle_causes
// sleep|split|synchronize|launches|serial|beside|barrier|none. For split, half of each pause is in
// the range "load", and the cost is that of the other half.
// Prints "cost NS": how long the host kept it idle for that reason. For synchronize and launches
// this includes the kernels that ran meanwhile.
#include <time.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "hip_support.h"

extern "C" int roctxRangePushA(const char* message);
extern "C" int roctxRangePop();

using namespace programs;

namespace {

constexpr int kKernels = 4;
constexpr uint64_t kPauseNs = 100'000'000;

__global__ void Step(int* sum, int rounds) {
  for (int i = 0; i < rounds; ++i) atomicAdd(sum, 1);
}

__global__ void Until(const int* go) {
  while (__atomic_load_n(go, __ATOMIC_RELAXED) == 0) {
  }
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

// Kernels, and as many copies of other data: in turn on one stream, or on two.
void CopyBetweenKernels(int* sum, bool one_stream) {
  constexpr int kCopies = 12;
  constexpr size_t kBytes = size_t{32} << 20;
  void *host = nullptr, *device = nullptr;
  hipStream_t kernels, copies;
  HIP_CHECK(hipHostMalloc(&host, kBytes, 0));
  HIP_CHECK(hipMalloc(&device, kBytes));
  HIP_CHECK(hipStreamCreateWithFlags(&kernels, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&copies, hipStreamNonBlocking));
  for (int i = 0; i < kCopies; ++i) {
    Step<<<dim3(1), dim3(64), 0, kernels>>>(sum, one_stream ? 500 : 20'000);
    if (one_stream) HIP_CHECK(hipMemcpyAsync(device, host, kBytes, hipMemcpyHostToDevice, kernels));
  }
  for (int i = 0; i < kCopies && !one_stream; ++i)
    HIP_CHECK(hipMemcpyAsync(device, host, kBytes, hipMemcpyHostToDevice, copies));
  Step<<<dim3(1), dim3(64), 0, kernels>>>(sum, 500);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipStreamDestroy(copies));
  HIP_CHECK(hipStreamDestroy(kernels));
  HIP_CHECK(hipFree(device));
  HIP_CHECK(hipHostFree(host));
}

// Kernels of one stream with a host function between them, for which a barrier packet waits. The
// first kernel runs until all are submitted. Returns the time that the functions took.
uint64_t CallBetweenKernels(int* sum) {
  static uint64_t took = 0;
  constexpr auto kPause = [](hipStream_t, hipError_t, void*) {
    const uint64_t begin = NowNs();
    Sleep(kPauseNs);
    took += NowNs() - begin;
  };
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  int* go;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&go), sizeof *go));
  *go = 0;
  Until<<<dim3(1), dim3(1), 0, stream>>>(go);
  for (int i = 0; i < kKernels; ++i) {
    HIP_CHECK(hipStreamAddCallback(stream, kPause, nullptr, 0));
    Step<<<dim3(1), dim3(64), 0, stream>>>(sum, 100);
  }
  __atomic_store_n(go, 1, __ATOMIC_RELEASE);
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipHostFree(go));
  HIP_CHECK(hipStreamDestroy(stream));
  return took;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const cause = argc > 1 ? argv[1] : "none";
  const bool serial = strcmp(cause, "serial") == 0, beside = strcmp(cause, "beside") == 0;
  int* sum = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&sum), sizeof(int)));
  HIP_CHECK(hipMemset(sum, 0, sizeof(int)));
  Step<<<dim3(1), dim3(1)>>>(sum, 1);  // what a first launch loads is no pause
  HIP_CHECK(hipDeviceSynchronize());
  uint64_t cost = 0;
  if (serial || beside) CopyBetweenKernels(sum, serial);
  const bool barrier = strcmp(cause, "barrier") == 0;
  if (barrier) cost = CallBetweenKernels(sum);
  const bool split = strcmp(cause, "split") == 0;
  const bool synchronize = strcmp(cause, "synchronize") == 0;
  const bool launches = strcmp(cause, "launches") == 0;
  const int kernels = serial || beside || barrier ? 0
                      : synchronize || launches   ? 50 * kKernels
                                                  : kKernels;
  const uint64_t first = NowNs();
  for (int i = 0; i < kernels; ++i) {
    Step<<<dim3(1), dim3(64)>>>(sum, launches ? 1 : 100);
    if (launches || strcmp(cause, "none") == 0) continue;
    HIP_CHECK(hipDeviceSynchronize());
    if (split) {
      roctxRangePushA("load");
      Sleep(kPauseNs);
      roctxRangePop();
    }
    const uint64_t begin = NowNs();
    if (split || strcmp(cause, "sleep") == 0) Sleep(kPauseNs);
    cost += NowNs() - begin;
  }
  if (synchronize || launches) cost = NowNs() - first;
  HIP_CHECK(hipDeviceSynchronize());
  // Time after the last kernel does not count as idle.
  if (split || strcmp(cause, "sleep") == 0) Step<<<dim3(1), dim3(1)>>>(sum, 1);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFree(sum));
  std::printf("cost %" PRIu64 "\n", cost);
  return ExitCode();
}
