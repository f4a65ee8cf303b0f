// SPDX-License-Identifier: MIT
// options.h: what the command line says to selftest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rtl::selftest {

struct Options {
  bool on_vgpu = false;
  std::optional<uint32_t> gpus;
  std::string hip;       // the file of HIP; empty: the one that the loader finds
  uint32_t limit = 60;   // seconds for one program
  uint32_t minutes = 5;  // after which no check begins
  std::string output = "rtl-selftest.txt";
  bool force = false;             // replace a file that is no report
  bool list = false;              // only print the names of the checks
  std::vector<std::string> only;  // names of checks; empty: all
  std::string program;            // not empty: this process is a program that is traced
  long number = 0;                // of its launches; 0: the program's own
};

}  // namespace rtl::selftest
