// SPDX-License-Identifier: MIT
// program_loader.h: finds the file that a command starts, and the dynamic loader of that file. A
// program for the C library musl cannot preload libraries for the GNU C library: it ends with 127
// before it begins.
#pragma once

#include <string>

namespace rtl::cli {

// The file that execvp would start for `command`; empty: there is none.
std::string FindProgram(const std::string& command);

// `command` is found as execvp does. The interpreters of scripts are followed.
bool IsForMusl(const std::string& command);

// The sentence for the user of such a program.
std::string MuslSentence(const std::string& command);

}  // namespace rtl::cli
