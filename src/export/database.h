// SPDX-License-Identifier: MIT
// database.h: a trace as a database again: packed, or with its kernels in rows for any program that
// reads SQLite (docs/formats/database.md#packed-traces).
//
// Threads    one
// Blocking   file I/O
// Memory     constant
// Errors     one line that names the file; nothing is left under `output` then
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/status.h"
#include "export/timeline.h"

namespace rtl::exporting {

// Copies the tables that the format knows, from the trace at `path`. `notes`: sentences for the user,
// of tables that somebody has added and of a name that somebody took meanwhile. `cancel` may be null.
Status WriteDatabase(const std::string& path, bool packed, const std::string& output,
                     const Progress& progress, const std::atomic<bool>* cancel,
                     std::vector<std::string>* notes);

}  // namespace rtl::exporting
