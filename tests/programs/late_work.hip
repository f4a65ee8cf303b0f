// SPDX-License-Identifier: MIT
// Uses the GPU in all that runs after main: exit handlers, destructors of the program's objects and of its libraries.
//
//   late_work handlers   exit handlers that were registered before and after the first HIP call
//   late_work objects    destructors of a global object and of two libraries, one of them loaded after the first call
//   late_work quick      a handler of quick_exit
//   late_work now        _exit
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "hip_support.h"

extern "C" {
void roctxMarkA(const char* message);
int roctxRangePushA(const char* message);
int roctxRangePop();
}

using namespace programs;

namespace {

constexpr int kEach = 5;

__global__ void Increment(int* value) { atomicAdd(value, 1); }

int* value = nullptr;
int launched = 0;
bool objects = false;

// Some kernels and a copy in a range, and a mark.
void Work(const char* from) {
  roctxRangePushA(from);
  for (int i = 0; i < kEach; ++i) Launch(Increment, dim3(1), dim3(1), value);
  launched += kEach;
  int got = 0;
  HIP_CHECK(hipMemcpy(&got, value, sizeof got, hipMemcpyDeviceToHost));
  roctxRangePop();
  roctxMarkA(from);
  Expect(got == launched, from);
  std::fflush(stdout);
}

void StartWork() {
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&value), sizeof *value));
  HIP_CHECK(hipMemset(value, 0, sizeof *value));
  Work("main");
}

struct Static {
  ~Static() { Work("the destructor of a static object"); }
};

// The program's own kernels are gone when it is destroyed.
struct Global {
  ~Global() {
    if (!objects) return;
    roctxMarkA("the destructor of a global object");
    HIP_CHECK(hipMemset(value, 1, sizeof *value));
    int got = 0;
    HIP_CHECK(hipMemcpy(&got, value, sizeof got, hipMemcpyDeviceToHost));
    Expect(got == 0x01010101, "the destructor of a global object");
  }
} global;

void LoadPart(const char* name) {
  void* const part = dlopen(name, RTLD_NOW);
  if (part == nullptr) Die("dlopen", dlerror());
  *static_cast<void (**)(const char*)>(dlsym(part, "late_part_work")) = Work;
  *static_cast<void (**)(const char*)>(dlsym(part, "late_part_mark")) = roctxMarkA;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "handlers";
  if (std::strcmp(way, "handlers") == 0) {
    std::atexit([] { Work("a handler from before the first call"); });
    StartWork();
    std::atexit([] { Work("a handler from after it"); });
  } else if (std::strcmp(way, "objects") == 0) {
    objects = true;
    static Static object;
    LoadPart("liblate_part.so");
    StartWork();
    LoadPart("liblate_part_2.so");
  } else if (std::strcmp(way, "quick") == 0) {
    std::at_quick_exit([] { Work("a handler of quick_exit"); });
    StartWork();
    std::quick_exit(0);
  } else {
    StartWork();
    _exit(ExitCode());
  }
  return ExitCode();
}
