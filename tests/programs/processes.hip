// SPDX-License-Identifier: MIT
// Several processes use the GPU at the same time: children that this program starts, and itself.
// usage: processes [children], or processes child NUMBER
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "hip_support.h"

using namespace programs;

extern char** environ;

__global__ void Fill(int* out, int value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = value + i;
}

bool UseGpu(int number) {
  constexpr int kCount = 10'000;
  const DeviceArray<int> out(kCount);
  for (int round = 0; round < 10; ++round) {
    const int value = number * 1000 + round;
    Launch(Fill, Blocks(kCount, 256), dim3(256), out.data(), value, kCount);
    const std::vector<int> got = out.Get();
    if (!ForAll(kCount, [&](int i) { return got[i] == value + i; })) return false;
  }
  return true;
}

pid_t StartChild(const char* program, int number) {
  std::string role = "child";
  std::string text = std::to_string(number);
  std::string name = program;
  char* arguments[] = {name.data(), role.data(), text.data(), nullptr};
  pid_t pid = 0;
  const int error = posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, arguments, environ);
  if (error != 0) Die("posix_spawn", std::strerror(error));
  return pid;
}

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "child") return UseGpu(std::atoi(argv[2])) ? 0 : 1;
  const int children = argc > 1 ? std::atoi(argv[1]) : 3;
  std::vector<pid_t> pids;
  for (int i = 0; i < children; ++i) pids.push_back(StartChild(argv[0], i + 1));
  Expect(UseGpu(0), "this process");
  for (const pid_t pid : pids) {
    int status = 0;
    if (waitpid(pid, &status, 0) != pid) Die("waitpid", std::strerror(errno));
    Expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child");
  }
  return ExitCode();
}
