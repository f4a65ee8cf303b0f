// SPDX-License-Identifier: MIT
// functions.h: finds the implementation of each exported function of each shell. The lists are
// generated from the shells' version scripts (src/libraries/shell/shell.cmake).
#pragma once

namespace rtl::engine {

inline constexpr char kTrace[] = "rtl";              // librtl.so
inline constexpr char kTools[] = "rocprofiler-sdk";  // librocprofiler-sdk.so.1

// Returns null if there is no such function.
void* Find(const char* shell, const char* name);

}  // namespace rtl::engine
