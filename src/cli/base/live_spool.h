// SPDX-License-Identifier: MIT
// live_spool.h: finds the spool of a process that is being traced, from the names that users give
// it.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace rtl::cli {

// The spool for "4711" or "trace.db.spool-x1y2z3". Empty: the name means a file. `pid`: 0 means all
// processes of the spool.
Status LiveSpool(const std::string& name, std::string* spool, uint32_t* pid);

}  // namespace rtl::cli
