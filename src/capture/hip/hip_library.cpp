// SPDX-License-Identifier: MIT
#include "capture/hip/hip_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

namespace rtl::capture {
namespace {

constexpr char kName[] = "libamdhip64.so";

uint32_t ReadNumber(const char** at) {
  uint32_t number = 0;
  while (**at >= '0' && **at <= '9' && number < 100'000) {
    number = number * 10 + static_cast<uint32_t>(**at - '0');
    ++*at;
  }
  return number;
}

int RememberHip(dl_phdr_info* info, size_t, void* path) {
  uint32_t major = 0;
  uint32_t minor = 0;
  if (!HipLibrary::ParseName(info->dlpi_name, &major, &minor)) return 0;
  return CopyText(static_cast<char*>(path), PATH_MAX, info->dlpi_name) ? 1 : 0;
}

}  // namespace

bool HipLibrary::ParseName(const char* path, uint32_t* major, uint32_t* minor) {
  const char* const slash = strrchr(path, '/');
  const char* at = slash == nullptr ? path : slash + 1;
  if (strncmp(at, kName, sizeof kName - 1) != 0) return false;
  at += sizeof kName - 1;
  if (*at != '\0' && *at != '.') return false;
  *major = 0;
  *minor = 0;
  if (*at == '.') *major = ReadNumber(&++at);
  if (*at == '.') *minor = ReadNumber(&++at);
  return true;
}

bool HipLibrary::Find() {
  if (handle_ != nullptr) return true;
  char path[PATH_MAX];
  if (dl_iterate_phdr(RememberHip, path) == 0) return false;
  handle_ = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (handle_ == nullptr) return false;
  // A library that was loaded by its SONAME is a link to a file with a longer name.
  char file[PATH_MAX];
  if (realpath(path, file) == nullptr || !ParseName(file, &major_, &minor_)) {
    (void)ParseName(path, &major_, &minor_);  // true: it was found by this name
  }
  return true;
}

void* HipLibrary::Symbol(const char* name) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, name);
}

}  // namespace rtl::capture
