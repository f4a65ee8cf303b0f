// SPDX-License-Identifier: MIT
// environment.h: the only place in the traced process that looks at environment variables.
//
// Threads    any; like getenv, it must not race with a setenv of the application, so it is called
//            while the tools library loads and never on a hot path
// Memory     EnvironmentCopy owns its array; the strings stay the process's own
#pragma once

#include <stddef.h>

namespace rtl {

// Null when unset. The text belongs to the environment: copy it before the environment can change.
const char* EnvironmentValue(const char* name);

// The process's environment as an array for execve, without the named variables.
class EnvironmentCopy {
 public:
  // `names`: a null-terminated list of variables to leave out. When memory is short the copy is
  // empty.
  explicit EnvironmentCopy(const char* const* names);
  ~EnvironmentCopy();
  EnvironmentCopy(const EnvironmentCopy&) = delete;
  EnvironmentCopy& operator=(const EnvironmentCopy&) = delete;

  // Null-terminated; valid while this object lives and the environment does not change.
  char* const* entries() const { return entries_; }

 private:
  char* empty_[1] = {nullptr};
  char** entries_ = empty_;
};

}  // namespace rtl
