// SPDX-License-Identifier: MIT
// environment.h: the only code in the traced process that reads or sets environment variables.
//
// Threads    any; like getenv, EnvironmentValue must not race with a setenv of the application, so
//            it is called while the tracer's library is loaded, and never on a hot path.
//            SetEnvironmentValue is itself such a setenv
// Memory     EnvironmentCopy owns its array; the strings stay the process's own
#pragma once

#include <stddef.h>

namespace rtl {

// Returns null if the variable is not set. The text belongs to the environment; it must be copied
// before the environment can change.
const char* EnvironmentValue(const char* name);

// Only for a variable that a library of this process reads later, if there is no other way to pass
// the value. Only inside a call by which the program requests this. The call may move the array of
// the environment: if a program reads its environment in another thread meanwhile, there is a race,
// as with a setenv of the program. False if there is no memory; the variable is then unchanged.
bool SetEnvironmentValue(const char* name, const char* value);

// The process's environment as an array for execve, without the named variables.
class EnvironmentCopy {
 public:
  // `names`: a null-terminated list of variables to leave out. If there is no memory, the copy is
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
