// SPDX-License-Identifier: MIT
// programs.h: the small programs that selftest traces: `rtl selftest --program NAME [NUMBER]`.
//
// A program prints facts about what it did to standard output. A line has a name, then numbers or
// words. Exit codes: 0 if it did everything; 1 if a call failed or a result is wrong (the line
// `failed` has the reason); 3 if the machine lacks what it needs (the line `absent` has the
// reason).
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
  long number = 0;  // number of launches; 0: the program's default
  std::string hip;  // --hip
};

// Runs the program; returns its exit code.
int RunProgram(const ProgramOptions& options);

// Prints a line of facts immediately, because the process may be about to die.
void Fact(const char* format, ...) __attribute__((format(printf, 1, 2)));
// Fail prints the line `failed` and ends the program with 1. Absent prints the line `absent` and
// ends it with 3.
[[noreturn]] void Fail(const std::string& why);
[[noreturn]] void Absent(const std::string& why);

// The programs that use HSA and not HIP.
int RunSignals(const std::string& hip, long launches);
int RunInventory(const std::string& hip);

}  // namespace rtl::selftest
