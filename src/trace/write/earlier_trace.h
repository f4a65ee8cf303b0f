// SPDX-License-Identifier: MIT
// earlier_trace.h: finds out what the file is whose name a trace is about to get.
//
// Threads    any
// Blocking   file I/O
// Errors     a file that cannot be read is not a trace
#pragma once

#include <sqlite3.h>

#include <string>

namespace rtl::store {

// True for a complete trace of any version of the schema.
bool IsTrace(const std::string& path);
// True if the open database is a trace of this version.
bool HasThisSchema(sqlite3* database);
// True for a trace with at least one event.
bool HoldsEvents(const std::string& path);
// True for an SQLite database with operations, as RPD's tools and this project write it.
bool HoldsOperations(const std::string& path);

}  // namespace rtl::store
