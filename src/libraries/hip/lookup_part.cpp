// SPDX-License-Identifier: MIT
// A library of lookup_program.cpp that looks functions up, because the results of RTLD_NEXT and
// RTLD_DEFAULT depend on the caller. It has a hipGetErrorString of its own, which calls the next
// one.
#include <dlfcn.h>

#include "libraries/hip/fake_hip.h"

extern "C" {

__attribute__((visibility("default"))) void* LookUpFromPart(int next, const char* name) {
  return dlsym(next != 0 ? RTLD_NEXT : RTLD_DEFAULT, name);
}

__attribute__((visibility("default"))) void* LookUpInFromPart(void* library, const char* name) {
  // no tail call, because the return address identifies the caller
  void* const found = dlsym(library, name);
  asm volatile("" ::: "memory");
  return found;
}

__attribute__((visibility("default"))) const char* hipGetErrorString(hipError_t error) {
  using Function = const char* (*)(hipError_t);
  const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "hipGetErrorString"));
  return next == nullptr ? "none" : next(error);
}

}  // extern "C"
