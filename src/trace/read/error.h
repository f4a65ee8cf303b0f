// SPDX-License-Identifier: MIT
// error.h: makes one line that names a file and its problem.
//
// Threads    any; no shared state
#pragma once

#include <string>

#include "base/status.h"

struct sqlite3;

namespace rtl::query {

// Returns "<path>: <cause>". If the path is too long for a Status, its middle is left out, so that
// the cause stays readable.
Status FileError(const std::string& path, const std::string& cause);
Status FileErrno(const std::string& path, const std::string& what, int error_number);

// Explains SQLite's result code to a user who wants to read the trace at `path`.
Status SqliteError(const std::string& path, sqlite3* db, int code);

inline constexpr char kNoRoomToSort[] = "no room for temporary files while sorting; set TMPDIR";

// The message of a run that the user has interrupted; see WasCancelled.
inline constexpr char kCancelled[] = "interrupted";
bool WasCancelled(const Status& status);

}  // namespace rtl::query
