// SPDX-License-Identifier: MIT
// Two files have a kernel of the same name: this one, and a library that is loaded and unloaded.
// usage: same_names <library>
#include <dlfcn.h>

#include "hip_support.h"

using namespace programs;

namespace {

__global__ void Write(int* out) { *out = 1; }

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) Die("same_names", "which library?");
  const DeviceArray<int> out(1);
  Launch(Write, dim3(1), dim3(1), out.data());
  Expect(out.Get()[0] == 1, "this file's kernel");
  void* const library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) Die(arguments[1], dlerror());
  const auto write = reinterpret_cast<void (*)(int*)>(dlsym(library, "LaunchOther"));
  if (write == nullptr) Die(arguments[1], dlerror());
  write(out.data());
  Expect(out.Get()[0] == 2, "the library's kernel");
  Launch(Write, dim3(1), dim3(1), out.data());
  Expect(out.Get()[0] == 1, "this file's kernel again");
  (void)dlclose(library);
  Launch(Write, dim3(1), dim3(1), out.data());
  Expect(out.Get()[0] == 1, "and without the library");
  return ExitCode();
}
