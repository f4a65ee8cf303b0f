// SPDX-License-Identifier: MIT
// diff_report.h: a comparison as text, CSV and JSON, and the limits for --fail-if.
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
  std::vector<std::string> before;  // files
  std::vector<std::string> after;
  std::vector<analysis::Difference> differences;  // the largest change of the total first
};

// "kernel>5%", several separated by commas; false: `text` is invalid.
bool ParseLimits(const std::string& text, std::vector<DiffLimit>* out);

// Names that got slower by more than a limit, one line each; empty: no limit is broken.
std::string BrokenLimits(const DiffReport& report, const std::vector<DiffLimit>& limits);
// The changes that a limit cannot judge because equal runs may differ by as much, one line; empty:
// none.
std::string UnjudgedLimits(const DiffReport& report, const std::vector<DiffLimit>& limits);

// At most `rows` changed names of each subject (0: all); lines at most `width` wide (0: no limit).
std::string DiffAsText(const DiffReport& report, size_t rows, size_t width);
// All names, changed or not.
std::string DiffAsCsv(const DiffReport& report, size_t rows);
std::string DiffAsJson(const DiffReport& report, size_t rows);

}  // namespace rtl::cli
