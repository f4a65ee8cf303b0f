// SPDX-License-Identifier: MIT
// report.h: what a process leaves behind when it ends, as one line of JSON (VGPU_REPORT).
//
// Threads    any; the line is written once per process, by the first caller
// Errors     one line on stderr
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace vgpu {

struct ProcessCounts {
  int pid = 0;
  std::string command;
  std::vector<std::pair<const char*, uint64_t>> numbers;  // each with its name
};

// The text of the report, with the line end.
std::string FormatReport(const ProcessCounts& counts);

// Appends this process's line to the report, if there is a report and a device was opened. A child
// that shares its parent's memory (vfork) writes nothing.
void WriteReport();

}  // namespace vgpu
