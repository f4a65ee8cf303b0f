// SPDX-License-Identifier: MIT
// hip_memory.h: HIP's dispatch tables, found in its memory. From 6.0 on every exported function of
// HIP goes through an entry of them, whether HIP registers them with rocprofiler-register or, as in
// Debian's builds, not.
//
// A table is its size and exactly that many addresses of HIP's code (hip_tables.h). It is the one
// in use when a function of HIP that is called by its symbol arrives at the entry.
//
// Threads    one at a time; other threads may call HIP meanwhile
// Blocking   takes the loader's lock
// Errors     null: this HIP has no such table; or it registers its tables itself, and `registered`
//            does not say that it has done so
// Why        docs/adr/0166-tables-in-memory.md
#pragma once

#include "capture/hip/hip_library.h"

namespace rtl::capture {

// `name`: "hip" or "hip_compiler".
void* FindHipTable(const HipLibrary& hip, const char* name, bool registered = false);

}  // namespace rtl::capture
