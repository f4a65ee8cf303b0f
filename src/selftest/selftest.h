// SPDX-License-Identifier: MIT
// selftest.h: `rtl selftest`: checks on this machine that rtl does what it promises, and writes a
// file for a bug report.
//
// Threads    the main thread
// Blocking   some minutes at most: each program has a time limit
#pragma once

#include "selftest/bench.h"

namespace rtl::selftest {

// Prints a line for each check to standard output. Returns the exit code: 0 if nothing is wrong, 1
// if something is wrong or nothing could be checked.
int RunSelftest(const Options& options, const char* version);

}  // namespace rtl::selftest
