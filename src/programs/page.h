// SPDX-License-Identifier: MIT
// page.h: writes a program's manual page for man(1).
//
// Threads    any
#pragma once

#include <string>

#include "cli/base/describe.h"

namespace rtl::manual {

std::string ManualPage(const cli::ProgramText& program);

}  // namespace rtl::manual
