// SPDX-License-Identifier: MIT
// helper.h: starts a helper program in a way that the application does not notice. The program is
// not a child of this process (no SIGCHLD, no zombie, invisible to wait), has its own session,
// ignores SIGINT and SIGHUP, and holds none of the application's files.
//
// Threads    any
// Blocking   until the program has been loaded, as vfork does
// Memory     the strings and arrays are read until StartHelper returns
// Errors     StartHelper returns why the program could not be started
// Why        a helper that survives the application keeps the trace when the application is killed
#pragma once

#include "base/status.h"
#include "spool/sharing.h"

namespace rtl {

using Helper = spool::CollectorProcess;

// `path` is absolute; `arguments` and `environment` end with null.
Status StartHelper(const char* path, const char* const* arguments, char* const* environment,
                   Helper* out);

}  // namespace rtl
