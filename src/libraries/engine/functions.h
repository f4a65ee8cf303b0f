// SPDX-License-Identifier: MIT
// functions.h: the implementation of each exported function of each shell. The lists are generated
// from the shells' version scripts (src/libraries/shell/shell.cmake).
#pragma once

namespace rtl::engine {

inline constexpr char kTrace[] = "rtl";              // librtl.so
inline constexpr char kTools[] = "rocprofiler-sdk";  // librocprofiler-sdk.so.1

// Null: there is none.
void* Find(const char* shell, const char* name);

}  // namespace rtl::engine
