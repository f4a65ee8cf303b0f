// SPDX-License-Identifier: MIT
#include "libraries/engine/functions.h"

#include <stddef.h>
#include <string.h>

// Declared without their types, which only the callers of the shells know.
extern "C" {
#define RTL_FUNCTION(name, function) void function();
#include "libraries/shell/rocprofiler-sdk.inc"
#include "libraries/shell/rtl.inc"
#undef RTL_FUNCTION
}

namespace rtl::engine {
namespace {

struct Function {
  const char* name;
  void (*function)();
};

#define RTL_FUNCTION(name, function) {#name, function},
constexpr Function kTraceFunctions[] = {
#include "libraries/shell/rtl.inc"
};
constexpr Function kToolFunctions[] = {
#include "libraries/shell/rocprofiler-sdk.inc"
};
#undef RTL_FUNCTION

template <size_t kCount>
void* FindIn(const Function (&functions)[kCount], const char* name) {
  for (const Function& each : functions) {
    if (strcmp(each.name, name) == 0) return reinterpret_cast<void*>(each.function);
  }
  return nullptr;
}

}  // namespace

void* Find(const char* shell, const char* name) {
  if (strcmp(shell, kTrace) == 0) return FindIn(kTraceFunctions, name);
  if (strcmp(shell, kTools) == 0) return FindIn(kToolFunctions, name);
  return nullptr;
}

}  // namespace rtl::engine
