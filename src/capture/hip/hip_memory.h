// SPDX-License-Identifier: MIT
// hip_memory.h: finds HIP's dispatch tables in HIP's memory. From 6.0 on every exported function of
// HIP goes through an entry of them, whether HIP registers them with rocprofiler-register or, as in
// Debian's builds, not.
//
// A table consists of its size and as many addresses of HIP's code as the size says (hip_tables.h).
// To find out whether a table is in use, its entry is replaced for a moment and a function of HIP
// is called by its symbol: the call then arrives at the replaced entry.
//
// Threads    one at a time; other threads may call HIP meanwhile
// Blocking   takes the loader's lock
// Errors     null if this HIP has no such table, or if it registers its tables itself and
//            `registered` is false, which means that it has not done so yet
// Why        docs/adr/0166-tables-in-memory.md
#pragma once

#include "capture/hip/hip_library.h"

namespace rtl::capture {

// `name`: "hip" or "hip_compiler".
void* FindHipTable(const HipLibrary& hip, const char* name, bool registered = false);

}  // namespace rtl::capture
