// SPDX-License-Identifier: MIT
// earlier_trace.h: what lies under a name that a trace is about to get.
//
// Threads    any
// Blocking   file I/O
// Errors     a file that cannot be read is no trace
#pragma once

#include <sqlite3.h>

#include <string>

namespace rtl::store {

// A complete trace of any version of the schema.
bool IsTrace(const std::string& path);
// A trace of this version, by the open database.
bool HasThisSchema(sqlite3* database);
// A trace with at least one event.
bool HoldsEvents(const std::string& path);
// An SQLite database with operations, as RPD's tools and this project write them.
bool HoldsOperations(const std::string& path);

}  // namespace rtl::store
