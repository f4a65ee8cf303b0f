// SPDX-License-Identifier: MIT
// tool_path.h: finds the `rtl` program that goes with this library.
//
// Threads    any; reads the environment, so only while the library is being set up
#pragma once

#include <stddef.h>

#include "base/status.h"

namespace rtl {

// `wish` (RTL_TOOL) when it is not empty; else ../bin/rtl beside the library that holds this code;
// else the first `rtl` in PATH. `out` is absolute.
Status FindTool(const char* wish, char* out, size_t size);

// The same with the library's and the PATH variable's text given.
Status FindTool(const char* wish, const char* library, const char* path, char* out, size_t size);

}  // namespace rtl
