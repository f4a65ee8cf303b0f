// SPDX-License-Identifier: MIT
// media.h: whether a library whose calls are not recorded is installed, such as rocDecode.
//
// Threads    any
// Blocking   lists folders
#pragma once

#include <string>

namespace rtl::v3 {

// The path of a file whose name begins with `name` ("librocdecode.so"), in the library folders of
// the loader and of ROCm; empty: none.
std::string FindInstalled(const std::string& name);

}  // namespace rtl::v3
