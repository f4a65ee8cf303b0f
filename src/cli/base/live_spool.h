// SPDX-License-Identifier: MIT
// live_spool.h: the user's names of a process that is being traced.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace rtl::cli {

// The spool for "4711" or "trace.db.spool-x1y2z3"; empty: the name means a file. `pid`: 0: all of
// its processes.
Status LiveSpool(const std::string& name, std::string* spool, uint32_t* pid);

}  // namespace rtl::cli
