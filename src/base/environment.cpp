// SPDX-License-Identifier: MIT
#include "base/environment.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace rtl {
namespace {

bool Names(const char* entry, const char* name) {
  const size_t length = strlen(name);
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

bool NamesAny(const char* entry, const char* const* names) {
  for (; *names != nullptr; ++names) {
    if (Names(entry, *names)) return true;
  }
  return false;
}

}  // namespace

const char* EnvironmentValue(const char* name) { return getenv(name); }

bool SetEnvironmentValue(const char* name, const char* value) {
  return setenv(name, value, 1) == 0;
}

EnvironmentCopy::EnvironmentCopy(const char* const* names) {
  if (environ == nullptr) return;
  size_t count = 0;
  while (environ[count] != nullptr) ++count;
  auto** copy = static_cast<char**>(calloc(count + 1, sizeof(char*)));
  if (copy == nullptr) return;
  size_t used = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!NamesAny(environ[i], names)) copy[used++] = environ[i];
  }
  entries_ = copy;
}

EnvironmentCopy::~EnvironmentCopy() {
  if (entries_ != empty_) free(entries_);
}

}  // namespace rtl
