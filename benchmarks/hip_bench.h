// SPDX-License-Identifier: MIT
// hip_bench.h: what the benchmarks of HIP share.
#pragma once

#define __HIP_PLATFORM_AMD__ 1
#include <errno.h>
#include <hip/hip_runtime_api.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace rtl::bench {

inline void Check(hipError_t status, const char* what) {
  if (status == hipSuccess) return;
  std::fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what,
               hipGetErrorString(status));
  std::exit(1);
}
#define CHECK(call) ::rtl::bench::Check((call), #call)

inline uint64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

inline void Print(const char* name, uint64_t value) {
  std::printf("%s %llu\n", name, static_cast<unsigned long long>(value));
}

}  // namespace rtl::bench
