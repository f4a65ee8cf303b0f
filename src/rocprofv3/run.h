// SPDX-License-Identifier: MIT
// run.h: runs the program traced, once for each job, and writes the requested files.
//
// Threads    the main thread, and the collector's
// Signals    handled as by rtl trace: signals to rocprofv3 are passed on to the program
#pragma once

#include <string>
#include <vector>

namespace rtl::v3 {

// The main function of rocprofv3. `arguments` are without the program's name. Returns the exit
// code.
int Main(const std::vector<std::string>& arguments);

// Prints "rocprofv3: <text>" to standard error in one write.
void PrintNote(const std::string& text);

}  // namespace rtl::v3
