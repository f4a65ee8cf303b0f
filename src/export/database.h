// SPDX-License-Identifier: MIT
// database.h: rewrites a trace as a database in the schema of this version
// (docs/formats/database.md).
//
// Threads    one
// Blocking   file I/O
// Memory     constant
// Errors     one line that names the file; then no file is left under `output`
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/status.h"
#include "export/timeline.h"

namespace rtl::exporting {

// Copies the tables of the format from the trace at `path`. `notes`: gets sentences for the user
// about unknown tables, and about another name if `output` was taken meanwhile. `cancel` may be
// null.
Status WriteDatabase(const std::string& path, const std::string& output, const Progress& progress,
                     const std::atomic<bool>* cancel, std::vector<std::string>* notes);

}  // namespace rtl::exporting
