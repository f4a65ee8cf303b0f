// SPDX-License-Identifier: MIT
// Children that are forked after calls that do not use the GPU, each of which uses it on its own; and one that is
// forked after its parent has used it.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "hip_support.h"

extern "C" {
void roctxMarkA(const char* message);
int roctxRangePushA(const char* message);
int roctxRangePop();
uint64_t roctxRangeStartA(const char* message);
void roctxRangeStop(uint64_t range);
int roctxNameOsThread(const char* name);
int roctxGetThreadId(uint64_t* thread);
int roctxProfilerPause(uint64_t thread);
int roctxProfilerResume(uint64_t thread);
}

using namespace programs;

namespace {

__global__ void Increment(int* value) { atomicAdd(value, 1); }

bool UseGpu(int kernels) {
  int* value = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&value), sizeof *value));
  HIP_CHECK(hipMemset(value, 0, sizeof *value));
  for (int i = 0; i < kernels; ++i) Launch(Increment, dim3(1), dim3(1), value);
  int got = 0;
  HIP_CHECK(hipMemcpy(&got, value, sizeof got, hipMemcpyDeviceToHost));
  return got == kernels;
}

template <typename Work>
void InChild(const char* what, Work work) {
  const pid_t pid = fork();
  if (pid < 0) Die("fork", std::strerror(errno));
  if (pid == 0) _exit(work() ? 0 : 1);
  int status = 0;
  if (waitpid(pid, &status, 0) != pid) Die("waitpid", std::strerror(errno));
  Expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, what);
}

// The range was begun by the parent.
bool Worker() {
  uint64_t thread = 0;
  const bool own = roctxGetThreadId(&thread) == 0 && thread == static_cast<uint64_t>(getpid());
  const int level = roctxRangePushA("in a worker");
  const bool right = UseGpu(10);
  roctxRangePop();
  return right && own && level == 1 && roctxRangePop() == 0;
}

}  // namespace

int main() {
  uint64_t thread = 0;
  (void)roctxGetThreadId(&thread);
  roctxMarkA("start");
  roctxNameOsThread("main");
  roctxProfilerPause(0);
  roctxProfilerResume(0);
  const uint64_t outer = roctxRangeStartA("outer");
  (void)hipGetErrorString(hipSuccess);
  (void)roctxRangePushA("workers");
  for (int i = 0; i < 2; ++i) InChild("a worker", Worker);
  // A worker's own worker.
  InChild("a worker in a worker", [] {
    roctxMarkA("middle");
    InChild("inside", Worker);
    return ExitCode() == 0;
  });
  (void)roctxRangePop();
  roctxRangeStop(outer);
  Expect(UseGpu(5), "the parent");
  InChild("a late child", [] {
    roctxMarkA("late");
    (void)roctxRangePushA("late");
    (void)roctxRangePop();
    return hipGetLastError() == hipSuccess;
  });
  return ExitCode();
}
