// SPDX-License-Identifier: MIT
#include "base/library_beside.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

namespace rtl {

void* LoadBeside(const void* here, const char* name) {
  Dl_info info = {};
  if (dladdr(here, &info) == 0) return nullptr;
  const char* const slash = strrchr(info.dli_fname, '/');
  if (slash == nullptr) return nullptr;
  char path[PATH_MAX];
  const int used = snprintf(path, sizeof path, "%.*s/%s", static_cast<int>(slash - info.dli_fname),
                            info.dli_fname, name);
  if (used < 0 || static_cast<size_t>(used) >= sizeof path) return nullptr;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

void* FindOrLoadBeside(const void* here, const char* name, bool wanted) {
  void* const library = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
  return library != nullptr || !wanted ? library : LoadBeside(here, name);
}

}  // namespace rtl
