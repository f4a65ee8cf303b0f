// SPDX-License-Identifier: MIT
// Looks functions of HIP up in every way, and prints what it finds and what the functions return.
// It is not linked to HIP. Arguments: the path of the HIP to load; "global", "local" or "none"; the
// path of lookup_part.cpp's library.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "libraries/hip/fake_hip.h"

namespace {

using Device = hipError_t (*)(int*);
using LookUp = void* (*)(int next, const char* name);

void Print(const char* how, void* function) {
  if (function != nullptr && dlerror() != nullptr) printf("%s: found, and an error\n", how);
  int device = 0;
  if (function != nullptr) (void)reinterpret_cast<Device>(function)(&device);
  printf("%s: %d\n", how, device);
}

void PrintMissing(const char* how, void* function) {
  const char* const why = dlerror();
  printf("%s: %s, %s\n", how, function == nullptr ? "nothing" : "something",
         why != nullptr && strstr(why, "undefined symbol") != nullptr ? "a reason" : "no reason");
}

}  // namespace

int main(int, char** arguments) {
  void* hip = nullptr;
  if (strcmp(arguments[2], "none") != 0)
    hip = dlopen(arguments[1], RTLD_NOW | (strcmp(arguments[2], "global") == 0 ? RTLD_GLOBAL : 0));
  void* const part = dlopen(arguments[3], RTLD_NOW);
  if (part == nullptr) return 1;
  const auto look_up = reinterpret_cast<LookUp>(dlsym(part, "LookUpFromPart"));
  if (hip != nullptr) {
    using LookUpIn = void* (*)(void* library, const char* name);
    const auto look_up_in = reinterpret_cast<LookUpIn>(dlsym(part, "LookUpInFromPart"));
    Print("the library, looked up by a part", look_up_in(hip, "hipGetDevice"));
    Print("the library", dlsym(hip, "hipGetDevice"));
    Print("by its version", dlvsym(hip, "hipGetDevice", "hip_test"));
    PrintMissing("not in this HIP", dlsym(hip, "hipFree"));
    PrintMissing("of another version", dlvsym(hip, "hipGetDevice", "hip_other"));
    printf("again the same: %d\n", dlsym(hip, "hipGetDevice") == dlsym(hip, "hipGetDevice"));
  }
  Print("default", dlsym(RTLD_DEFAULT, "hipGetDevice"));
  Print("next", dlsym(RTLD_NEXT, "hipGetDevice"));
  Print("default by its version", dlvsym(RTLD_DEFAULT, "hipGetDevice", "hip_test"));
  Print("next by its version", dlvsym(RTLD_NEXT, "hipGetDevice", "hip_test"));
  PrintMissing("default, of another version", dlvsym(RTLD_DEFAULT, "hipGetDevice", "hip_other"));
  PrintMissing("default, not in this HIP", dlsym(RTLD_DEFAULT, "hipFree"));
  PrintMissing("next, not in this HIP", dlsym(RTLD_NEXT, "hipFree"));
  PrintMissing("no function of HIP", dlsym(RTLD_DEFAULT, "hipsterX"));
  void* const self = dlopen(nullptr, RTLD_NOW);
  Print("the program", dlsym(self, "hipGetDevice"));
  PrintMissing("the program, not in this HIP", dlsym(self, "hipFree"));
  Print("default of a part", look_up(0, "hipGetDevice"));
  Print("next of a part", look_up(1, "hipGetDevice"));
  using Text = const char* (*)(hipError_t);
  const auto text = reinterpret_cast<Text>(dlsym(part, "hipGetErrorString"));
  printf("a function of a part's own: %s\n", text(2));
  printf("libc's: %d\n", dlsym(RTLD_NEXT, "puts") == dlsym(RTLD_DEFAULT, "puts"));
  return 0;
}
