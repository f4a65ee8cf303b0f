// SPDX-License-Identifier: MIT
// trace_file.h: looks at a file before SQLite does, so that everything that is not a complete
// database gets a sentence of its own; then opens it.
#pragma once

#include <string>

#include "base/status.h"

struct sqlite3;

namespace rtl::query {

// Ok when `path` is a readable regular file that starts like a database and is as long as its
// header says, with no unfinished transaction lying beside it.
Status CheckTraceFile(const std::string& path);

// A connection that only reads, to be closed with sqlite3_close_v2 even when this fails: no locks,
// nothing beside the file, and nothing in the file may run.
Status OpenDatabase(const std::string& path, sqlite3** out);

}  // namespace rtl::query
