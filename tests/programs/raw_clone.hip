// SPDX-License-Identifier: MIT
// A child that is made by the system call clone itself, so that no fork handler runs in it. It uses the GPU. Before,
// its parent has done: nothing, a roctx mark ("mark"), a call of HIP that uses no GPU ("call"), or it has used the GPU
// itself ("used"; the child then only marks).
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "hip_support.h"

extern "C" void roctxMarkA(const char* message);

using namespace programs;

namespace {

constexpr int kKernels = 10;

__global__ void Increment(int* value) { atomicAdd(value, 1); }

bool UseGpu() {
  int* value = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&value), sizeof *value));
  HIP_CHECK(hipMemset(value, 0, sizeof *value));
  for (int i = 0; i < kKernels; ++i) Launch(Increment, dim3(1), dim3(1), value);
  int got = 0;
  HIP_CHECK(hipMemcpy(&got, value, sizeof got, hipMemcpyDeviceToHost));
  return got == kKernels;
}

template <typename Work>
void InChild(const char* what, Work work) {
  const long pid = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid < 0) Die("clone", std::strerror(errno));
  if (pid == 0) _exit(work() ? 0 : 1);
  int status = 0;
  if (waitpid(static_cast<pid_t>(pid), &status, 0) != pid) Die("waitpid", std::strerror(errno));
  Expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, what);
}

}  // namespace

int main(int argc, char** argv) {
  const char* const before = argc > 1 ? argv[1] : "nothing";
  if (std::strcmp(before, "mark") == 0) roctxMarkA("before");
  if (std::strcmp(before, "call") == 0) (void)hipGetErrorString(hipSuccess);
  if (std::strcmp(before, "used") == 0) {
    Expect(UseGpu(), "the parent");
    InChild("a late child", [] {
      roctxMarkA("late");
      return true;
    });
    return ExitCode();
  }
  InChild("a child", [] {
    roctxMarkA("in the child");
    return UseGpu();
  });
  roctxMarkA("after");
  return ExitCode();
}
