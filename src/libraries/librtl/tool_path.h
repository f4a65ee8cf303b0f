// SPDX-License-Identifier: MIT
// tool_path.h: finds the `rtl` program that goes with this library.
//
// Threads    any; reads the environment, so only while the library is being set up
#pragma once

#include <stddef.h>

#include "base/status.h"

namespace rtl {

// Finds `wish` (RTL_TOOL) when it is not empty; otherwise ../bin/rtl beside the library that
// contains this code; otherwise the first `rtl` in PATH. `out` is absolute.
Status FindTool(const char* wish, char* out, size_t size);

// The same with the text of the library's path and of PATH given.
Status FindTool(const char* wish, const char* library, const char* path, char* out, size_t size);

}  // namespace rtl
