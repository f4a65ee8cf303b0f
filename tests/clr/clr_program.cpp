// SPDX-License-Identifier: MIT
// clr_program [ROUNDS=10] [kill|fork]: calls of HIP whose records a test can count. Each round:
// hipMalloc, two hipLaunchKernel, hipMemcpy to the device and back, hipGraphLaunch of five nodes
// (three kernels, two barriers), hipDeviceSynchronize. At the end it launches one kernel without
// waiting for it.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
struct dim3 {
  uint32_t x, y, z;
};
int hipMalloc(void** memory, size_t bytes);
int hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                    void* stream);
int hipMemcpy(void* to, const void* from, size_t bytes, int kind);
int hipGraphLaunch(void* graph, void* stream);
int hipDeviceSynchronize();
}

static void Round() {
  void* memory = nullptr;
  const dim3 one = {1, 1, 1};
  (void)hipMalloc(&memory, 4096);
  (void)hipLaunchKernel("_Z3addPfS_", one, one, nullptr, 0, nullptr);
  (void)hipLaunchKernel("triton_red_0d1d2", one, one, nullptr, 0, nullptr);
  (void)hipMemcpy(memory, nullptr, 4096, 1);
  (void)hipMemcpy(nullptr, memory, 1000, 2);
  (void)hipGraphLaunch(reinterpret_cast<void*>(5), nullptr);
  (void)hipDeviceSynchronize();
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 10;
  const char* const what = argc > 2 ? argv[2] : "";
  for (int i = 0; i < rounds; ++i) Round();
  if (strcmp(what, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      Round();
      _exit(0);
    }
    (void)waitpid(child, nullptr, 0);
  }
  (void)hipLaunchKernel("_Z4lastv", {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr);
  printf("done\n");
  return 0;
}
