// SPDX-License-Identifier: MIT
// Children forked without exec, before the parent first uses the GPU, each use it on their own.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "hip_support.h"

using namespace programs;

__global__ void Square(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= values[i];
}

bool UseGpu(int first) {
  constexpr int kCount = 1000;
  std::vector<int> start(kCount);
  for (int i = 0; i < kCount; ++i) start[i] = first + i;
  const DeviceArray<int> values(start);
  Launch(Square, Blocks(kCount, 256), dim3(256), values.data(), kCount);
  const std::vector<int> got = values.Get();
  return ForAll(kCount, [&](int i) { return got[i] == (first + i) * (first + i); });
}

int main() {
  std::vector<pid_t> pids;
  for (int i = 0; i < 2; ++i) {
    const pid_t pid = fork();
    if (pid < 0) Die("fork", std::strerror(errno));
    if (pid == 0) std::exit(UseGpu(100 * i) ? 0 : 1);
    pids.push_back(pid);
  }
  Expect(UseGpu(7), "the parent");
  for (const pid_t pid : pids) {
    int status = 0;
    if (waitpid(pid, &status, 0) != pid) Die("waitpid", std::strerror(errno));
    Expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a forked child");
  }
  return ExitCode();
}
