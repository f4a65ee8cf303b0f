// SPDX-License-Identifier: MIT
// completion.h: writes a shell's completion of a program's verbs, options and values.
//
// Threads    any
#pragma once

#include <string>

#include "cli/base/describe.h"

namespace rtl::manual {

std::string BashCompletion(const cli::ProgramText& program);
std::string ZshCompletion(const cli::ProgramText& program);
std::string FishCompletion(const cli::ProgramText& program);

}  // namespace rtl::manual
