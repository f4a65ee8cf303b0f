// SPDX-License-Identifier: MIT
// media.h: finds out whether a library whose calls cannot be recorded, such as rocDecode, is
// installed.
//
// Threads    any
// Blocking   lists folders
#pragma once

#include <string>

namespace rtl::v3 {

// The path of a file whose name begins with `name` ("librocdecode.so"). Searches the loader's
// folders and ROCm's. Empty: there is none.
std::string FindInstalled(const std::string& name);

}  // namespace rtl::v3
