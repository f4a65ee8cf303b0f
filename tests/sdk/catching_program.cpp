// SPDX-License-Identifier: MIT
// Calls HIP 300 times and goes on after an exception, which is a tool's. Argument: the HIP to load.
#include <dlfcn.h>

#include <cstdio>
#include <exception>

int main(int, char** arguments) {
  void* const hip = dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL);
  if (hip == nullptr) return std::puts(dlerror()), 1;
  using Allocate = int (*)(void** memory, unsigned long bytes);
  using Set = int (*)(void* memory, int value, unsigned long bytes);
  const auto allocate = reinterpret_cast<Allocate>(dlsym(hip, "hipMalloc"));
  const auto set = reinterpret_cast<Set>(dlsym(hip, "hipMemset"));
  const auto wait = reinterpret_cast<int (*)()>(dlsym(hip, "hipDeviceSynchronize"));
  constexpr int kCalls = 300;
  constexpr unsigned long kBytes = 4096;
  void* memory = nullptr;
  if (allocate(&memory, kBytes) != 0) return 1;
  for (int i = 0; i < kCalls; ++i) {
    try {
      (void)set(memory, i, kBytes);
    } catch (const std::exception& error) {
      std::printf("caught %s\n", error.what());
    }
  }
  return wait();
}
