// SPDX-License-Identifier: MIT
// Runs some kernels to their end and then leaves the process in the given way.
//
//   way_out return | exit_now | quick | kill | terminate | abort | exec | wait
// exec: itself, which then returns. wait: for a signal.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "hip_support.h"

using namespace programs;

__global__ void Nothing() {}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "return";
  constexpr int kKernels = 1000;
  for (int i = 0; i < kKernels; ++i) Launch(Nothing, dim3(1), dim3(64));
  HIP_CHECK(hipDeviceSynchronize());
  std::printf("%d kernels ran\n", kKernels);
  std::fflush(stdout);
  // The tracer looks at least every 10 ms while kernels run. Kernels that ended a while ago are in
  // the spool.
  usleep(200'000);
  if (std::strcmp(way, "wait") == 0) {
    std::printf("waiting\n");
    std::fflush(stdout);
    for (;;) pause();
  }
  if (std::strcmp(way, "exit_now") == 0) _exit(3);
  if (std::strcmp(way, "quick") == 0) std::quick_exit(4);
  if (std::strcmp(way, "kill") == 0) raise(SIGKILL);
  if (std::strcmp(way, "terminate") == 0) raise(SIGTERM);
  if (std::strcmp(way, "abort") == 0) std::abort();
  if (std::strcmp(way, "exec") == 0) {
    execl("/proc/self/exe", argv[0], "return", nullptr);
    return 1;
  }
  return 0;
}
