// SPDX-License-Identifier: MIT
// rpd.h: a trace as ROCm's RPD (rocmProfileData) writes it: tables of its schema version 2 and the
// views that its tools and queries use. What they make of it: docs/reference/exports.md.
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

// Writes kernels, copies, API calls and markers of the trace at `path`. `notes`: sentences for the
// user, of what RPD has no place for. `cancel` may be null.
Status WriteRpd(const std::string& path, const std::string& output, const Progress& progress,
                const std::atomic<bool>* cancel, std::vector<std::string>* notes);

}  // namespace rtl::exporting
