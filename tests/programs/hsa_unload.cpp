// SPDX-License-Identifier: MIT
// Uses the GPU from a library that it loads and unloads, as a plugin does. The HSA runtime goes
// with it, and so does everything that the runtime had loaded.
// usage: hsa_unload FILE LIVES, FILE: unload_part.so
#include <dlfcn.h>

#include <cstdlib>

#include "check.h"

using namespace programs;

int main(int argc, char** argv) {
  if (argc != 3) Die("usage", "hsa_unload FILE LIVES");
  for (int life = 0; life < std::atoi(argv[2]); ++life) {
    void* const part = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (part == nullptr) Die(argv[1], dlerror());
    auto* const run = reinterpret_cast<int (*)()>(dlsym(part, "RunPart"));
    if (run == nullptr) Die("RunPart", dlerror());
    Expect(run() == 0, "ten kernels ran");
    Expect(dlclose(part) == 0, "the library was unloaded");
    void* const runtime = dlopen("libhsa-runtime64.so.1", RTLD_NOW | RTLD_NOLOAD);
    Expect(runtime == nullptr, "the runtime is gone with it");
  }
  return ExitCode();
}
