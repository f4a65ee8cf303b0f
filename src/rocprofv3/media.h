// SPDX-License-Identifier: MIT
// media.h: whether a library is installed whose calls are not recorded, as rocDecode's.
//
// Threads    any
// Blocking   lists folders
#pragma once

#include <string>

namespace rtl::v3 {

// Where a file is whose name begins with `name` ("librocdecode.so"), in the folders that the loader and ROCm have for
// libraries; empty: nowhere.
std::string FindInstalled(const std::string& name);

}  // namespace rtl::v3
