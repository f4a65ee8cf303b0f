// SPDX-License-Identifier: MIT
// call_count.h: a program's own count of the HIP calls that it makes, for comparison with a trace.
#pragma once

#include <cstdio>
#include <map>
#include <mutex>
#include <string>

#include "hip_support.h"

namespace programs {

inline std::mutex g_calls_mutex;
inline std::map<std::string, int> g_calls;

inline void Count(const char* name) {
  const std::lock_guard lock(g_calls_mutex);
  ++g_calls[name];
}

// A call that must succeed.
#define CALL(name, ...) (::programs::Count(#name), HIP_CHECK(name(__VA_ARGS__)))

// "hipMalloc 6", a line each.
inline void PrintCalls() {
  for (const auto& [name, calls] : g_calls) std::printf("%s %d\n", name.c_str(), calls);
}

}  // namespace programs
