// SPDX-License-Identifier: MIT
// live_spool.h: how people name a process that is being traced.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace rtl::cli {

// The spool that is meant by "4711" or "trace.db.spool-x1y2z3"; empty: a file is meant. `pid`: 0: all
// of its processes.
Status LiveSpool(const std::string& name, std::string* spool, uint32_t* pid);

}  // namespace rtl::cli
