// SPDX-License-Identifier: MIT
// help.h: what --help and --version print.
#pragma once

#include <string>

namespace rtl::v3 {

std::string HelpText();
std::string VersionText();

}  // namespace rtl::v3
