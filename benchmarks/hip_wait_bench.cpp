// SPDX-License-Identifier: MIT
// hip_wait_bench: how long a launch of one kernel and the wait for it (hipModuleLaunchKernel,
// hipDeviceSynchronize) take. Run it untraced and traced; benchmarks/overhead.py does both,
// interleaved. Prints "name value" lines; times in nanoseconds.
//
//   hip_wait_bench MODULE LAUNCHES    MODULE: first_kernel.co of tests/programs
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void Check(hipError_t status, const char* what) {
  if (status == hipSuccess) return;
  std::fprintf(stderr, "hip_wait_bench: %s: %s\n", what, hipGetErrorString(status));
  std::exit(1);
}
#define CHECK(call) Check((call), #call)

uint64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: hip_wait_bench MODULE LAUNCHES\n");
    return 2;
  }
  hipModule_t module;
  hipFunction_t kernel;
  int* out = nullptr;
  CHECK(hipModuleLoad(&module, argv[1]));
  CHECK(hipModuleGetFunction(&kernel, module, "first_kernel"));
  CHECK(hipMalloc(reinterpret_cast<void**>(&out), sizeof *out));
  void* arguments[] = {&out};
  constexpr int kWarmUp = 100;
  std::vector<uint64_t> waits(static_cast<size_t>(std::max(std::atoi(argv[2]), 1)));
  const auto wait = [&] {
    CHECK(hipModuleLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(hipDeviceSynchronize());
  };
  for (int i = 0; i < kWarmUp; ++i) wait();
  for (uint64_t& each : waits) {
    const uint64_t before = NowNs();
    wait();
    each = NowNs() - before;
  }
  std::sort(waits.begin(), waits.end());
  std::printf("wait_p50 %llu\n", static_cast<unsigned long long>(waits[waits.size() / 2]));
  std::printf("wait_p99 %llu\n", static_cast<unsigned long long>(waits[waits.size() * 99 / 100]));
  std::printf("submitted %zu\n", waits.size() + kWarmUp);
  return 0;
}
