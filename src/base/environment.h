// SPDX-License-Identifier: MIT
// environment.h: the only place in the traced process that looks at environment variables, or sets
// one.
//
// Threads    any; like getenv, it must not race with a setenv of the application, so it is called
//            while the tools library loads and never on a hot path. SetEnvironmentValue is itself
//            such a setenv
// Memory     EnvironmentCopy owns its array; the strings stay the process's own
#pragma once

#include <stddef.h>

namespace rtl {

// Null when unset. The text belongs to the environment: copy it before the environment can change.
const char* EnvironmentValue(const char* name);

// Only for a variable that a library of this process reads later, and that has no other way to learn
// of it; only inside a call with which the program requests that. It may move the array of the
// environment: a program that reads its environment in another thread during that call has a race,
// as with a setenv of its own. False: no memory; the variable is as before.
bool SetEnvironmentValue(const char* name, const char* value);

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
