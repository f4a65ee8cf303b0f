// SPDX-License-Identifier: MIT
// The same profiler, which its exported function shows to a library that looks for tools.
#define EXPORTED
#include "own_profiler.hip"
