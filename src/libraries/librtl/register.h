// SPDX-License-Identifier: MIT
// register.h: the function that rocprofiler-register calls in the library that it has found, to
// pass the tables of one more library.
//
// Threads    any; the runtime's loading lock is held
// Blocking   as long as opening the trace takes
// Errors     non-zero: the tables are unchanged. "hsa" is then traced through HSA_TOOLS_LIB if that
//            is set
#pragma once

#include <stdint.h>

#include "capture/session/session.h"
#include "capture/sources/sources.h"

namespace rtl {

// The type of rocprofiler_set_api_table. `name`: the library ("hsa", "hip" ...). `version`: 10000
// major + 100 minor + patch. `instance`: counts the copies of a library in the process. `tables`:
// addresses of its tables.
using SetApiTable = int (*)(const char* name, uint64_t version, uint64_t instance, void** tables,
                            uint64_t count);

// `session` and `sources` may be null. `traced`: the tables include the HSA runtime's, and it is
// traced from now on.
int TakeApiTable(capture::Session* session, const capture::CallSources& sources, const char* name,
                 uint64_t version, uint64_t instance, void** tables, uint64_t count, bool* traced);

}  // namespace rtl
