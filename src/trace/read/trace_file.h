// SPDX-License-Identifier: MIT
// trace_file.h: checks a file before SQLite opens it, so that each kind of invalid file gets its
// own sentence; then opens it.
#pragma once

#include <string>

#include "base/status.h"

struct sqlite3;

namespace rtl::query {

// Ok when `path` is a readable regular file that starts like a database, has the length in its
// header, and has no unfinished transaction beside it.
Status CheckTraceFile(const std::string& path);

// Opens a read-only connection: no locks, no file beside it, and nothing in the file may run. Close
// it with sqlite3_close_v2, also after an error.
Status OpenDatabase(const std::string& path, sqlite3** out);

}  // namespace rtl::query
