// SPDX-License-Identifier: MIT
// manual.h: writes a program's manual page for man(1), and the completions of its verbs, options
// and values for shells.
//
// Threads    any
#pragma once

#include <string>

#include "cli/base/describe.h"

namespace rtl::manual {

std::string ManualPage(const cli::ProgramText& program);
std::string BashCompletion(const cli::ProgramText& program);
std::string ZshCompletion(const cli::ProgramText& program);
std::string FishCompletion(const cli::ProgramText& program);

}  // namespace rtl::manual
