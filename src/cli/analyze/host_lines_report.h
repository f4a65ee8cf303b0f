// SPDX-License-Identifier: MIT
// host_lines_report.h: the lines of Python during which a GPU waited for host code.
#pragma once

#include <string>

#include "analysis/host_lines.h"
#include "cli/base/report_json.h"

namespace rtl::cli {

// "  host code: load_batch, data.py:88, 61.0 %", a line each. Shares are of the GPU's idle time that
// host code caused.
std::string HostLinesAsText(const analysis::HostLines& lines);
// The member "host_lines".
void AddHostLines(const analysis::HostLines& lines, JsonWriter* json);

}  // namespace rtl::cli
