// SPDX-License-Identifier: MIT
// trace_file.h: checks a file before SQLite opens it, so that each kind of invalid file gets an
// error of its own, and opens it.
#pragma once

#include <string>

#include "base/status.h"

struct sqlite3;

namespace rtl::query {

// Ok if `path` is a readable regular file that begins like a database, has the length that its
// header states, and has no unfinished transaction beside it.
Status CheckTraceFile(const std::string& path);

// Opens a read-only connection, without locks and without files beside the database; nothing in the
// file can be executed. The connection must be closed with sqlite3_close_v2, even after an error.
Status OpenDatabase(const std::string& path, sqlite3** out);

}  // namespace rtl::query
