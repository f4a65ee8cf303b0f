// SPDX-License-Identifier: MIT
// selftest.h: `rtl selftest`: checks on this machine that rtl does what it promises, and writes a
// file for a bug report.
//
// Threads    the main thread
// Blocking   some minutes at most: each program has a time limit
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rtl::selftest {

// As on the command line.
struct Options {
  bool on_vgpu = false;
  std::optional<uint32_t> gpus;
  std::string hip;       // the file of HIP; empty: the one that the loader finds
  uint32_t limit = 60;   // seconds for one program
  uint32_t minutes = 5;  // after this time no check begins
  std::string output = "rtl-selftest.txt";
  bool force = false;             // replace a file that is no report
  bool list = false;              // only print the names of the checks
  std::vector<std::string> only;  // names of checks; empty: all
  std::string program;            // if not empty, this process is one of the traced programs
  long number = 0;                // number of its launches; 0: the program's default
};

// Prints a line for each check to standard output. Returns the exit code: 0 if nothing is wrong, 1
// if something is wrong or nothing could be checked.
int RunSelftest(const Options& options, const char* version);

}  // namespace rtl::selftest
