// SPDX-License-Identifier: MIT
// hsa_memory.h: finds the HSA runtime's tables in its memory, for a tool that is loaded when the
// runtime is already running. The runtime hands its tables out only when it starts.
//
// The root table has its size in its head, and addresses of further tables. Each of these has a
// size in its head, too, and addresses of the runtime's own functions. The runtime keeps several
// copies of the tables. To find the copy in use, an entry is replaced for a moment, and the
// function is called by its symbol: in the copy in use the call arrives at the replaced entry.
//
// Threads    one at a time; other threads may call HSA meanwhile
// Blocking   takes the loader's lock
// Errors     FindHsaTable returns the reason why there is no table
// Why        docs/adr/0166-tables-in-memory.md
#pragma once

#include <stdint.h>

#include "base/status.h"

namespace rtl::capture {

// kForked: the runtime was started by the process from which this one was forked. If this process
// used that runtime, it would be ended.
enum class HsaPresence : uint8_t { kAbsent, kLoaded, kForked, kRuns };
// Whether the process has loaded the runtime's library, and whether it has started the runtime.
HsaPresence FindHsa();
// Returns a clause that says why the runtime is not running.
const char* WhyIdle(HsaPresence presence);

// Finds the HsaApiTable of the running runtime.
Status FindHsaTable(void** root_table);

}  // namespace rtl::capture
