// SPDX-License-Identifier: MIT
// help.h: the output of --help and --version.
#pragma once

#include <string>

namespace rtl::v3 {

std::string HelpText();
std::string VersionText();

}  // namespace rtl::v3
