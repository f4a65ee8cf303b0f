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
  int exit_code = 0;  // if a signal killed it: 128 + the signal
};

// If `title` is not null, a terminal shows the running time of a program that takes over two
// seconds. Errors: the program cannot be started; or `cancel` became true, and the program was
// killed.
Status RunChild(const std::vector<std::string>& command, const std::string& input, ChildOutput* out,
                const char* title = nullptr, const std::atomic<bool>* cancel = nullptr);

// The error message of a failed program as one line, without the stack trace that may precede it.
std::string FirstComplaint(const ChildOutput& output);

// The path of a program in PATH. Empty: there is none.
std::string FindInPath(const std::string& name);

}  // namespace rtl::fleet
