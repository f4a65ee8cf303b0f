// SPDX-License-Identifier: MIT
// check.h: how the programs of this folder check their results.
//
// A program prints one "ok" line for each verified fact, in a fixed order and without times or
// addresses, so that two runs can be compared byte by byte. Failures go to stderr, and the exit
// code is then 1.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace programs {

inline int g_failures = 0;

inline void Expect(bool ok, const char* what) {
  if (ok) {
    std::printf("ok %s\n", what);
  } else {
    std::fprintf(stderr, "FAILED: %s\n", what);
    ++g_failures;
  }
  std::fflush(stdout);
}

// For a failure after which the program cannot continue.
[[noreturn]] inline void Die(const char* what, const char* why) {
  std::fprintf(stderr, "FAILED: %s: %s\n", what, why);
  std::fflush(stdout);
  std::exit(1);
}

inline int ExitCode() { return g_failures == 0 ? 0 : 1; }

}  // namespace programs
