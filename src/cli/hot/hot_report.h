// SPDX-License-Identifier: MIT
// hot_report.h: writes the hot lines of kernels as text, CSV and JSON.
#pragma once

#include <string>

#include "analysis/hot.h"
#include "trace/read/requested_events.h"

namespace rtl::cli {

struct HotLayout {
  size_t rows = 10;           // lines of each kernel; 0: all
  bool instructions = false;  // instructions are listed below their lines
  size_t width = 0;           // characters of a line; 0: no limit
};

// Includes the text of source lines whose files can be read.
std::string HotAsText(const std::string& file, const query::RequestedEvents& requested,
                      const analysis::HotReport& report, const HotLayout& layout);
std::string HotAsCsv(const analysis::HotReport& report);
std::string HotAsJson(const std::string& file, const analysis::HotReport& report, size_t rows);

}  // namespace rtl::cli
