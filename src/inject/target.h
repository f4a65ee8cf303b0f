// SPDX-License-Identifier: MIT
// target.h: a running process into which a library is to be loaded. Checks whether that is
// possible, and finds the functions that are needed for it.
//
// Threads    one
// Blocking   file I/O
// Errors     one sentence with the right to grant or the thing to do
#pragma once

#include <stdint.h>

#include <string>
#include <vector>

#include "base/status.h"
#include "inject/loaded_libraries.h"

namespace rtl::inject {

class Target {
 public:
  // Examines the process. Changes nothing in it.
  Status Open(uint32_t pid);

  // Checks that the process sees the same file under this absolute path.
  Status CheckSees(const std::string& path) const;

  // False: the process has executed another program since Open, so the addresses found are wrong.
  bool IsSameProgram() const;
  // True if an error of Open came from a process that was about to end, because parts of it were
  // gone already. Waits a tenth of a second if this is not clear.
  bool HasEnded() const;

  uint32_t pid() const { return pid_; }
  bool has_filters() const { return has_filters_; }
  // Address of a function of the C library. Zero: the library has no such function.
  uint64_t Function(std::string_view name) const;
  // Address of a `syscall` instruction.
  uint64_t SystemCall() const { return system_call_; }
  // Ids of the threads that may be interrupted. Threads on which an interruption has the least
  // effect come first.
  std::vector<uint32_t> Threads() const;
  // True if a thread at `code`, whose stack begins at `stack`, may hold a lock of the allocator or
  // the loader, or is in a signal handler. `call` and `argument`: the system call in which it
  // waits, and the first argument; negative: none.
  bool MayHoldLocks(uint64_t code, uint64_t stack, int64_t call, uint64_t argument) const;
  // The reason why ptrace failed with `error`.
  Status WhyRefused(int error) const;

 private:
  std::string ReadImage() const;
  bool WaitsForOthers(int64_t call, uint64_t argument) const;
  Status CheckState();
  Status CheckNamespaces() const;
  Status FindFunctions();
  bool IsReturnAddress(uint64_t address) const;

  uint32_t pid_ = 0;
  std::string process_;  // "/proc/4711"
  std::string image_;
  bool seen_ = false;
  bool has_filters_ = false;
  std::vector<LoadedLibrary> libraries_;
  std::vector<Range> stacks_;
  std::vector<Range> busy_;
  std::vector<Range> loader_;
  std::vector<Range> allocator_;  // code of the C library's allocator
  uint64_t system_call_ = 0;
  uint64_t signal_return_ = 0;  // address of the C library's code that signal handlers return to
};

}  // namespace rtl::inject
