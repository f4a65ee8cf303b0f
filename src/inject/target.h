// SPDX-License-Identifier: MIT
// target.h: a running process into which a library is to be loaded: whether that is possible, and
// where the functions that it takes are.
//
// Threads    one
// Blocking   file I/O
// Errors     one sentence with what to grant or to do
#pragma once

#include <stdint.h>

#include <string>
#include <vector>

#include "base/status.h"
#include "inject/loaded_libraries.h"

namespace rtl::inject {

class Target {
 public:
  // Looks, and changes nothing.
  Status Open(uint32_t pid);

  // It finds the same file under this absolute path.
  Status CheckSees(const std::string& path) const;

  // False: it has executed another program since Open, and what was found there does not hold.
  bool IsSameProgram() const;
  // It was about to end while it was looked at, so that what was missed there was gone already. Waits
  // a tenth of a second where this is not clear.
  bool HasEnded() const;

  uint32_t pid() const { return pid_; }
  bool has_filters() const { return has_filters_; }
  // Of the C library; zero: it has none.
  uint64_t Function(std::string_view name) const;
  // A `syscall` instruction.
  uint64_t SystemCall() const { return system_call_; }
  // The numbers of its threads that may be interrupted; those that go on best afterwards first.
  std::vector<uint32_t> Threads() const;
  // True if a thread that is there, with the stack from `stack` on, may hold a lock of the allocator
  // or the loader, or is inside a signal handler. `call`: the system call that it waits in, with its
  // first argument; negative: none.
  bool MayHoldLocks(uint64_t code, uint64_t stack, int64_t call, uint64_t argument) const;
  // Why ptrace has said no.
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
  std::vector<Range> allocator_;  // of the C library
  uint64_t system_call_ = 0;
  uint64_t signal_return_ = 0;  // the C library's code behind signal handlers
};

}  // namespace rtl::inject
