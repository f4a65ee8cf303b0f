// SPDX-License-Identifier: MIT
// program_loader.h: which file a command is, and which loader starts it. Libraries for the GNU C
// library cannot be preloaded into a program for musl: it ends with 127 before it begins.
#pragma once

#include <string>

namespace rtl::cli {

// The file that execvp would start for `command`; empty: there is none.
std::string FindProgram(const std::string& command);

// `command`: as for execvp. Follows the interpreters of scripts.
bool IsForMusl(const std::string& command);

// The sentence for the user of such a program.
std::string MuslSentence(const std::string& command);

}  // namespace rtl::cli
