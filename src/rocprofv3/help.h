// SPDX-License-Identifier: MIT
// help.h: the output of --help and --version, and the options as data (cli/base/describe.h).
#pragma once

#include <string>

#include "cli/base/describe.h"

namespace rtl::v3 {

std::string HelpText();
std::string VersionText();

// The supported options.
cli::ProgramText DescribeRocprofv3();

}  // namespace rtl::v3
