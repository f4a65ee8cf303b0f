// SPDX-License-Identifier: MIT
// rpd.h: writes a trace in the form of ROCm's RPD (rocmProfileData): tables of its schema version 2
// and the views that its tools and queries use. docs/reference/exports.md says how these tools use
// it.
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

// Writes the kernels, copies, API calls and markers of the trace at `path`. `notes`: gets sentences
// for the user about the file. `cancel` may be null.
Status WriteRpd(const std::string& path, const std::string& output, const Progress& progress,
                const std::atomic<bool>* cancel, std::vector<std::string>* notes);

}  // namespace rtl::exporting
