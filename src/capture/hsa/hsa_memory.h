// SPDX-License-Identifier: MIT
// hsa_memory.h: the HSA runtime's tables, found in its memory, for a tool that comes when the
// runtime runs: it hands them out at its start only.
//
// The root table has its size in its head and addresses of further tables, which have theirs, and
// these hold the runtime's own functions. The runtime keeps several copies. The one in use is the one
// at which a function of HSA arrives that is called by its symbol.
//
// Threads    one at a time; other threads may call HSA meanwhile
// Blocking   takes the loader's lock
// Errors     the reason why there is none
// Why        docs/adr/0166-tables-in-memory.md
#pragma once

#include <stdint.h>

#include "base/status.h"

namespace rtl::capture {

// kForked: it was started by the process that this one was forked from, and ends this one when it is
// used.
enum class HsaPresence : uint8_t { kAbsent, kLoaded, kForked, kRuns };
// Whether the process has the runtime's library, and has started it.
HsaPresence FindHsa();
// A clause that says why it does not run.
const char* WhyIdle(HsaPresence presence);

// The HsaApiTable of the runtime that runs.
Status FindHsaTable(void** root_table);

}  // namespace rtl::capture
