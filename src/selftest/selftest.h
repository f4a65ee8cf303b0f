// SPDX-License-Identifier: MIT
// selftest.h: `rtl selftest`: checks on this machine what rtl promises, and writes a file for a
// bug report.
//
// Threads    the main thread
// Blocking   minutes at most: each program has a limit
#pragma once

#include "selftest/bench.h"

namespace rtl::selftest {

// Prints a line for each check to standard output; returns the exit code: 0 nothing is wrong, 1
// something is, or nothing could be checked.
int RunSelftest(const Options& options, const char* version);

}  // namespace rtl::selftest
