// SPDX-License-Identifier: MIT
// trace_file.h: looks at a file before SQLite does, so that everything that is not a complete
// database gets a sentence of its own.
#pragma once

#include <string>

#include "base/status.h"

namespace rtl::query {

// Ok when `path` is a readable regular file that starts like a database and is as long as its
// header says, with no unfinished transaction lying beside it.
Status CheckTraceFile(const std::string& path);

// The path as SQLite wants it in a file: URI.
std::string FileUri(const std::string& path, const char* parameters);

}  // namespace rtl::query
