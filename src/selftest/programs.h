// SPDX-License-Identifier: MIT
// programs.h: the small programs that selftest traces: `rtl selftest --program NAME [NUMBER]`.
//
// A program prints what it did to standard output, a line for each fact: a name, then numbers or
// words. Its exit code is 0 when it did everything, 3 when the machine lacks what it needs (the
// line `absent` has the reason), 1 when a call failed or a result is wrong (the line `failed`).
//
// Threads    the main thread; storm starts others
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace rtl::selftest {

inline constexpr int kExitAbsent = 3;

struct ProgramOptions {
  std::string name;
  long number = 0;  // of launches; 0: the program's own
  std::string hip;  // --hip
};

// Runs the program; returns its exit code.
int RunProgram(const ProgramOptions& options);

// Prints a line of facts at once: the process may be about to die.
void Fact(const char* format, ...) __attribute__((format(printf, 1, 2)));
// Ends the program: the line `failed`, and exit code 1; or `absent`, and 3.
[[noreturn]] void Fail(const std::string& why);
[[noreturn]] void Absent(const std::string& why);

// The programs of HSA, which use no HIP.
int RunSignals(const std::string& hip, long launches);
int RunInventory(const std::string& hip);

}  // namespace rtl::selftest
