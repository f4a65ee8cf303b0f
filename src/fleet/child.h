// SPDX-License-Identifier: MIT
// child.h: runs a program with a text as its input, and returns what it prints.
//
// Threads    any
// Blocking   until the program has ended
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::fleet {

struct ChildOutput {
  std::string out, error;
  int exit_code = 0;  // 128 + the signal that killed it
};

// With a title, a terminal shows how long a program has run that takes over two seconds.
// An error: the program cannot be started, or `cancel` became true, and it was killed.
Status RunChild(const std::vector<std::string>& command, const std::string& input, ChildOutput* out,
                const char* title = nullptr, const std::atomic<bool>* cancel = nullptr);

// A failed program's complaint as one line. Traces of calls come before it.
std::string FirstComplaint(const ChildOutput& output);

// The file of a program in PATH; empty: there is none.
std::string FindInPath(const std::string& name);

}  // namespace rtl::fleet
