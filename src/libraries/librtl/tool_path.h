// SPDX-License-Identifier: MIT
// tool_path.h: finds the `rtl` program that goes with this library.
//
// Threads    any, but only while the library is being set up, because the environment is read
#pragma once

#include <stddef.h>

#include "base/status.h"

namespace rtl {

// Finds `wish` (RTL_TOOL) if it is not empty, otherwise ../bin/rtl beside the library that contains
// this code, otherwise the first `rtl` in PATH. `out` gets an absolute path.
Status FindTool(const char* wish, char* out, size_t size);

// FindTool with the library's path and the value of PATH given.
Status FindTool(const char* wish, const char* library, const char* path, char* out, size_t size);

}  // namespace rtl
