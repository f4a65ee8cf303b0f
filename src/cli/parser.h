// SPDX-License-Identifier: MIT
// parser.h: parses the command line into the values of options.h.
#pragma once

#include <string>
#include <vector>

#include "cli/base/describe.h"
#include "cli/base/options.h"

namespace rtl::cli {

// `arguments` without the program's name.
Command ParseArguments(std::vector<std::string> arguments);

ProgramText DescribeRtl();

}  // namespace rtl::cli
