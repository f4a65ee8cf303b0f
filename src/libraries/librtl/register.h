// SPDX-License-Identifier: MIT
// register.h: implements the function that rocprofiler-register calls in the tracer's library to
// pass the tables of a library.
//
// Threads    any; the runtime's loading lock is held
// Blocking   as long as opening the trace takes
// Errors     a nonzero result: the tables are unchanged. "hsa" is then traced through
//            HSA_TOOLS_LIB, if that variable is set
#pragma once

#include <stdint.h>

#include "capture/session/session.h"
#include "capture/sources/sources.h"

namespace rtl {

// The type of rocprofiler_set_api_table. `name`: the library that registers ("hsa", "hip" ...).
// `version`: 10000 major + 100 minor + patch. `instance`: counts the copies of a library in the
// process. `tables`: addresses of its tables.
using SetApiTable = int (*)(const char* name, uint64_t version, uint64_t instance, void** tables,
                            uint64_t count);

// `session` and `sources` may be null. `traced`: set to true if the tables are those of the HSA
// runtime, which is traced from now on.
int TakeApiTable(capture::Session* session, const capture::CallSources& sources, const char* name,
                 uint64_t version, uint64_t instance, void** tables, uint64_t count, bool* traced);

}  // namespace rtl
