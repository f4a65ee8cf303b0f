// SPDX-License-Identifier: MIT
// run.h: runs the program traced, once for each job, and writes the requested files.
//
// Threads    the main thread, and the collector's
// Signals    as rtl trace: signals to rocprofv3 are passed on to the program
#pragma once

#include <string>
#include <vector>

namespace rtl::v3 {

// The program rocprofv3: returns the exit code. `arguments` without the program's name.
int Main(const std::vector<std::string>& arguments);

// "rocprofv3: <text>" on standard error, as one write.
void PrintNote(const std::string& text);

}  // namespace rtl::v3
