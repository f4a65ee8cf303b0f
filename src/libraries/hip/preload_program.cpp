// SPDX-License-Identifier: MIT
// Calls every function of fake_hip.cpp and prints the results. It leaves one call by longjmp, makes
// one call on another thread, and calls one function that the fake HIP lacks.
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

#include "libraries/hip/fake_hip.h"

namespace {

template <typename T>
T* At(uintptr_t address) {
  return reinterpret_cast<T*>(address);
}

jmp_buf g_back;

void JumpOut(void*) { longjmp(g_back, 1); }

void CallInside(void* device) { (void)hipGetDevice(static_cast<int*>(device)); }

void* InThread(void*) {
  int device = 0;
  (void)hipGetDevice(&device);
  return nullptr;
}

}  // namespace

int main() {
  void* memory = nullptr;
  hipError_t error = hipMalloc(&memory, 4096);
  printf("%d %p\n", error, memory);
  error = hipLaunchKernel(At<void>(0x10), {1, 2, 3}, {4, 5, 6}, At<void*>(0x20), 7, At<void>(0x30));
  error += hipMemset3D({At<void>(0x40), 8, 9, 10}, -11, {12, 13, 14});
  error += hipTexRefSetMipmapLevelClamp(At<void>(0x50), 1.5F, -2.25F);
  error += hipExtModuleLaunchKernel(At<ihipModuleSymbol_t>(0x60), 1, 2, 3, 4, 5, 6, 7,
                                    At<ihipStream_t>(0x70), At<void*>(0x80), At<void*>(0x90),
                                    At<ihipEvent_t>(0xa0), At<ihipEvent_t>(0xb0), 0xfffffff0);
  printf("%d %s\n", error, hipGetErrorString(2));
  int device = 0;
  error = hipLaunchHostFunc(nullptr, CallInside, &device);
  printf("%d %d\n", error, device);
  if (setjmp(g_back) == 0) (void)hipLaunchHostFunc(nullptr, JumpOut, nullptr);
  error = hipGetDevice(&device);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, InThread, nullptr) != 0) return 1;
  if (pthread_join(thread, nullptr) != 0) return 1;
  using Free = hipError_t (*)(void*);
  const auto absent = reinterpret_cast<Free>(dlsym(RTLD_DEFAULT, "hipFree"));
  fprintf(stderr, "%d\n", absent == nullptr ? 0 : absent(memory));
  return 0;
}
