// SPDX-License-Identifier: MIT
// diff_report.h: writes a comparison as text, CSV and JSON, and checks the limits of --fail-if.
//
// Threads    any
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/compare.h"
#include "cli/base/options.h"

namespace rtl::cli {

struct DiffReport {
  std::vector<std::string> before;  // names of files
  std::vector<std::string> after;
  std::vector<analysis::Difference> differences;  // the largest change of the total first
};

// Reads "kernel>5%", or several limits separated by commas. False: `text` is invalid.
bool ParseLimits(const std::string& text, std::vector<DiffLimit>* out);

// Names that got slower by more than a limit, one line each; empty: no limit is broken.
std::string BrokenLimits(const DiffReport& report, const std::vector<DiffLimit>& limits);
// One line about changes that a limit cannot judge, because runs of the same program may differ as
// much. Empty: there are none.
std::string UnjudgedLimits(const DiffReport& report, const std::vector<DiffLimit>& limits);

// At most `rows` changed names of each subject (0: all); lines at most `width` wide (0: no limit).
std::string DiffAsText(const DiffReport& report, size_t rows, size_t width);
// All names, changed or not.
std::string DiffAsCsv(const DiffReport& report, size_t rows);
std::string DiffAsJson(const DiffReport& report, size_t rows);

}  // namespace rtl::cli
